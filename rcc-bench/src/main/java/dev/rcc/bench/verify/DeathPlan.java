package dev.rcc.bench.verify;

import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.server.simulation.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Plans how nodes die in a scenario: at events of their own work, spread over the whole run, and at events of the other nodes while these
 * take a dead node out. At least one copy of everything is always left.
 */
final class DeathPlan {
    private static final int DELAY_NANOS_MAX = 20_000;
    private static final int NOTICE_NANOS_MAX = 3_000_000;
    private static final int RETURN_NANOS_MAX = 4_000_000;
    /** So long that the other nodes go on without the suspected node meanwhile, and change data that it has. */
    private static final int SUSPECTED_NANOS_MAX = 20_000_000;

    private static final int RETURNS_MAX = 4;
    private static final int LATER_NANOS_MAX = 20_000_000;
    /** Longer than any run of the clients. */
    private static final long NEVER_NANOS = 200_000_000;

    /** The moment {@link Moment.Unfreed} was added later: it is drawn from its own random numbers, so that other seeds keep their meaning. */
    private static final long UNFREED_STREAM = 0x9FB21C651E98DF25L;
    /** The victims by log entry were added later, too, and have their own random numbers. */
    private static final long HAVING_STREAM = 0xD1342543DE82EF95L;
    /** One in so many of the scenarios in which {@link Moment.Unfreed} can occur has it. */
    private static final int UNFREED_ONE_IN = 4;

    private DeathPlan() {}

    /** Draws the deaths, one after the other. */
    static List<Death> draw(Scenario scenario, SplittableRandom random) {
        SplittableRandom later = new SplittableRandom(scenario.seed() * HAVING_STREAM);
        List<Death> deaths = new ArrayList<>();
        deaths.add(death(scenario, first(scenario, random), Victim.NODE, random));
        for (int i = 2; i < scenario.replicas() && random.nextInt(4) > 0; i++) {
            Moment moment = next(scenario, random);
            deaths.add(death(scenario, moment, random.nextBoolean() ? byEntry(later) : Victim.NODE, random));
        }
        return deaths;
    }

    /** Draws one death. */
    static List<Death> drawOne(Scenario scenario, SplittableRandom random) {
        return List.of(death(scenario, first(scenario, random), Victim.NODE, random));
    }

    /**
     * Draws deaths of nodes. Most of the nodes come back. After the first death, most deaths come while a node is taken in, the others at any
     * time.
     */
    static List<Death> drawReturns(Scenario scenario, SplittableRandom random) {
        SplittableRandom later = new SplittableRandom(scenario.seed() * HAVING_STREAM);
        List<Death> deaths = new ArrayList<>();
        deaths.add(returning(death(scenario, first(scenario, random), Victim.NODE, random), random));
        for (int more = 1 + random.nextInt(RETURNS_MAX); more > 0; more--) {
            Moment moment = random.nextInt(4) == 0 ? next(scenario, random) : joining(scenario, random);
            Victim victim = random.nextInt(4) == 0 ? byEntry(later) : Victim.NODE;
            Death death = random.nextBoolean()
                    ? death(deaths.getLast().node(), moment, victim, random)
                    : death(scenario, moment, victim, random);
            deaths.add(random.nextInt(8) == 0 ? death : returning(death, random));
        }
        return deaths;
    }

    /** Draws deaths as {@link #drawReturns}. Most nodes that come back have not died: they only lost their leases. */
    static List<Death> drawSuspicions(Scenario scenario, SplittableRandom random) {
        return drawReturns(scenario, random).stream()
                .map(death -> death.isForEver() || random.nextInt(4) == 0
                        ? death
                        : death.suspected(random.nextInt(SUSPECTED_NANOS_MAX)))
                .toList();
    }

    /**
     * Draws deaths of zones and of single nodes, the first one of a zone. Most of the nodes come back. In some of the deaths the nodes live: they
     * only lost their leases.
     */
    static List<Death> drawZones(Scenario scenario, SplittableRandom random) {
        List<Death> deaths = new ArrayList<>();
        for (Death death : drawReturns(scenario, random)) {
            boolean isFalse = !death.isForEver() && random.nextInt(3) == 0;
            Death perhapsFalse = isFalse ? death.suspected(random.nextInt(SUSPECTED_NANOS_MAX)) : death;
            deaths.add(deaths.isEmpty() || random.nextBoolean() ? perhapsFalse.ofZone() : perhapsFalse);
        }
        return deaths;
    }

    /** A victim by the log entry of the last death: a node that lacks the entry, or one that has it, each half of the time. */
    private static Victim byEntry(SplittableRandom later) {
        return later.nextBoolean() ? Victim.LACKS_ENTRY : Victim.HAS_ENTRY;
    }

    private static Death returning(Death death, SplittableRandom random) {
        return death.returning(anyScale(random, RETURN_NANOS_MAX));
    }

    private static Moment joining(Scenario scenario, SplittableRandom random) {
        return new Moment.Joining(
                step(RecoveryStep.TO_JOIN, random),
                random.nextBoolean(),
                1 + random.nextInt(scenario.nodes()),
                random.nextBoolean());
    }

    private static RecoveryStep step(List<RecoveryStep> steps, SplittableRandom random) {
        return steps.get(random.nextInt(steps.size()));
    }

    private static Death death(Scenario scenario, Moment moment, Victim victim, SplittableRandom random) {
        long anyDelayNanos = random.nextBoolean() ? 0 : random.nextInt(DELAY_NANOS_MAX);
        long delayNanos = moment instanceof Moment.Unfreed ? 0 : anyDelayNanos; // the next WRITE ends the moment
        long noticeNanos = random.nextBoolean() ? 0 : anyScale(random, NOTICE_NANOS_MAX);
        return new Death(random.nextInt(scenario.nodes()), victim, moment, delayNanos, NEVER_NANOS, noticeNanos);
    }

    private static Death death(int node, Moment moment, Victim victim, SplittableRandom random) {
        long noticeNanos = random.nextBoolean() ? 0 : anyScale(random, NOTICE_NANOS_MAX);
        return new Death(node, victim, moment, 0, NEVER_NANOS, noticeNanos);
    }

    private static Moment first(Scenario scenario, SplittableRandom random) {
        Moment moment = any(scenario, random);
        SplittableRandom later = new SplittableRandom(scenario.seed() * UNFREED_STREAM);
        boolean canCome = scenario.deletesOneSided() && scenario.nodes() > scenario.replicas();
        return canCome && later.nextInt(UNFREED_ONE_IN) == 0 ? new Moment.Unfreed(entry(scenario, later)) : moment;
    }

    private static Moment any(Scenario scenario, SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0 -> new Moment.Later(anyScale(random, LATER_NANOS_MAX));
            case 1 -> new Moment.Marked(entry(scenario, random));
            case 2 -> new Moment.Lapped(1);
            case 3 -> new Moment.Torn(entry(scenario, random));
            case 4, 5 -> passed(scenario, random);
            default -> new Moment.Logged(entry(scenario, random), random.nextInt(scenario.replicas()));
        };
    }

    private static Moment next(Scenario scenario, SplittableRandom random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Moment.Later(random.nextInt(DELAY_NANOS_MAX));
            case 1 -> new Moment.Later(anyScale(random, LATER_NANOS_MAX));
            case 2 -> new Moment.Logged(entry(scenario, random), random.nextInt(scenario.replicas()));
            default -> {
                yield new Moment.Recovering(
                        step(RecoveryStep.TO_LOSE, random),
                        random.nextBoolean(),
                        1 + random.nextInt(scenario.nodes() - 1));
            }
        };
    }

    private static Moment passed(Scenario scenario, SplittableRandom random) {
        List<String> stages = scenario.protocol().stages();
        return new Moment.Passed(stages.get(random.nextInt(stages.size())), entry(scenario, random));
    }

    /** The number of a log entry of a node: about half of its transactions write. */
    private static int entry(Scenario scenario, SplittableRandom random) {
        return 1 + random.nextInt(scenario.workers() * scenario.coroutines() * scenario.transactions() / 2);
    }

    /** Short times as often as long ones. */
    private static long anyScale(SplittableRandom random, int max) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(max);
        return random.nextInt(1 << random.nextInt(bits)) % max;
    }
}
