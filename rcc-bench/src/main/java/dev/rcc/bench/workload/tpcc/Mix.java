package dev.rcc.bench.workload.tpcc;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.SplittableRandom;

/** The frequency of each kind of transaction: by decks of cards, each of which is played before it is shuffled again, or by weights. */
abstract class Mix {
    private static final Kind[] KINDS = Kind.values();

    /** Draws a kind. */
    abstract Kind next(SplittableRandom random);

    /** A deck for one terminal; kinds that are not wanted have no cards. */
    static Mix cards(Set<Kind> wanted) {
        return new Deck(Arrays.stream(KINDS)
                .filter(kind -> wanted.contains(kind))
                .flatMap(kind -> Collections.nCopies(kind.cards(), kind).stream())
                .toArray(Kind[]::new));
    }

    /** Independent draws. Immutable. */
    static Mix weights(double[] weights) {
        return new Weighted(weights);
    }

    private static final class Deck extends Mix {
        private final Kind[] cards;
        private int next;

        Deck(Kind[] cards) {
            this.cards = cards;
            this.next = cards.length;
        }

        @Override
        Kind next(SplittableRandom random) {
            if (next == cards.length) {
                shuffle(random);
                next = 0;
            }
            return cards[next++];
        }

        private void shuffle(SplittableRandom random) {
            for (int i = cards.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                Kind card = cards[i];
                cards[i] = cards[j];
                cards[j] = card;
            }
        }
    }

    private static final class Weighted extends Mix {
        private final double[] weights;
        private final double sum;
        private final Kind last;

        Weighted(double[] weights) {
            this.weights = weights.clone();
            this.sum = Arrays.stream(weights).sum();
            Kind positive = null;
            for (Kind kind : KINDS) {
                positive = weights[kind.number()] > 0 ? kind : positive;
            }
            this.last = positive;
        }

        @Override
        Kind next(SplittableRandom random) {
            double point = random.nextDouble() * sum;
            for (Kind kind : KINDS) {
                point -= weights[kind.number()];
                if (point < 0) {
                    return kind;
                }
            }
            return last; // rounding
        }
    }
}
