package dev.rcc.bench.workload.tpcc;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The five transactions, with their cards in a deck (5.2.4.2) and weights that meet the minimum shares of 5.2.3. */
enum Kind {
    NEW_ORDER(0, 10, 45, 5, 18, 12),
    PAYMENT(1, 10, 43, 5, 3, 12),
    ORDER_STATUS(2, 1, 4, 5, 2, 10),
    DELIVERY(3, 1, 4, 5, 2, 5),
    STOCK_LEVEL(4, 1, 4, 20, 2, 5);

    private final int number;
    private final int cards;
    private final double weight;
    private final int limitSeconds;
    private final int keyingSeconds;
    private final int thinkSeconds;

    Kind(int number, int cards, double weight, int limitSeconds, int keyingSeconds, int thinkSeconds) {
        this.number = number;
        this.cards = cards;
        this.weight = weight;
        this.limitSeconds = limitSeconds;
        this.keyingSeconds = keyingSeconds;
        this.thinkSeconds = thinkSeconds;
    }

    /** The kind's place among the kinds, from 0. */
    int number() {
        return number;
    }

    /** The kind's cards in a deck. */
    int cards() {
        return cards;
    }

    /** The kind's share of the mix, in percent, unless users set another. */
    double weight() {
        return weight;
    }

    /** The response time, in seconds, that 90 % of these transactions must keep below (5.2.5.3). */
    int limitSeconds() {
        return limitSeconds;
    }

    /** How long a user takes to enter the input, in seconds (5.2.5.7). */
    int keyingSeconds() {
        return keyingSeconds;
    }

    /** How long a user reads the result on average, in seconds (5.2.5.7). */
    int thinkSeconds() {
        return thinkSeconds;
    }

    /** The kind with this label. */
    static Kind ofLabel(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no transaction " + label));
    }

    /** The users' name of the kind. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The users' names of the kinds. */
    static List<String> labels() {
        return Arrays.stream(values()).map(Kind::label).toList();
    }
}
