package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a worker that has nothing to do leaves the processor to others. */
class EventLoopTest {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    /** Knows of this many workers of other processes. */
    private record Neighbourhood(int neighbours) implements Poller {
        @Override
        public int poll() {
            return 0;
        }
    }

    private final EventLoop worker = new EventLoop(0, 0, 1);

    @Test
    void shouldCountTheNeighboursOfAllItsPollers() {
        worker.addPoller(new Neighbourhood(PROCESSORS));
        worker.addPoller(new Neighbourhood(1));
        assertThat(worker.areProcessorsScarce()).isTrue();
    }
}
