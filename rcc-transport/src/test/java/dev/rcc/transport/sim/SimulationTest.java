package dev.rcc.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);

    // Method: events at random times, some of which add events, against the sorted times.
    @Test
    void shouldLetEventsHappenInTheOrderOfTheirTimes() {
        SplittableRandom random = new SplittableRandom(SEED);
        Simulation simulation = new Simulation(SEED);
        List<Long> expected = new ArrayList<>();
        List<Long> happened = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            long time = random.nextLong(1_000);
            long later = time + random.nextLong(100);
            expected.add(time);
            expected.add(later);
            simulation.at(time, () -> {
                happened.add(simulation.now());
                simulation.at(later, () -> happened.add(simulation.now()));
            });
            if (i % 3 == 0) {
                long until = i / 10;
                simulation.run(until, () -> simulation.eventsRun() % 7 == 6);
            }
        }
        simulation.run(Simulation.END_NANOS, () -> false);
        assertThat(happened).as("seed %s", SEED).isSorted().hasSameSizeAs(expected);
        assertThat(simulation.isOver()).isTrue();
    }

    @Test
    void shouldOrderEventsOfOneTimeByTheSeed() {
        assertThat(orderOf(1)).isEqualTo(orderOf(1)).isNotEqualTo(orderOf(2));
        assertThat(orderOf(1)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    private static List<Integer> orderOf(long seed) {
        Simulation simulation = new Simulation(seed);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int event = i;
            simulation.at(5, () -> order.add(event));
        }
        simulation.run(5, () -> false);
        return order;
    }

    @Test
    void shouldStopAtTheGivenTimeAndContinueFromThere() {
        Simulation simulation = new Simulation(SEED);
        List<Long> happened = new ArrayList<>();
        simulation.at(10, () -> happened.add(simulation.now()));
        simulation.at(Long.MAX_VALUE, () -> happened.add(simulation.now()));
        assertThat(simulation.run(9, () -> false)).isFalse();
        assertThat(simulation.now()).isEqualTo(9);
        assertThat(happened).isEmpty();
        assertThat(simulation.run(100, () -> !happened.isEmpty())).isTrue();
        assertThat(simulation.now()).isEqualTo(10);
        assertThat(simulation.run(Simulation.END_NANOS, () -> false)).isFalse();
        assertThat(happened).containsExactly(10L, Simulation.END_NANOS);
    }
}
