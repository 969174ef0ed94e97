package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.time.Timestamp;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CalvinLayoutTest {
    private static final int BATCH_BYTES = 1024;

    // Goal: no two places of the layout overlap, and none lies in the coroutines' buffers. The last place
    // ends where the area does.
    @Test
    void shouldGiveEverythingAPlaceOfItsOwn() {
        for (NodeShape shape : new NodeShape[] {
            new NodeShape(1, 1, 1, 4096), new NodeShape(5, 3, 7, 8256), new NodeShape(256, 1, 3, 4096)
        }) {
            CalvinLayout layout = new CalvinLayout(shape, BATCH_BYTES);
            TreeMap<Long, Long> places = new TreeMap<>();
            for (int node = 0; node < shape.nodes(); node++) {
                for (int worker = 0; worker < shape.workers(); worker++) {
                    int sequencer = layout.sequencer(node, worker);
                    assertThat(layout.nodeOf(sequencer)).isEqualTo(node);
                    places.put(layout.slotOffset(sequencer, 6), (long) BATCH_BYTES);
                    places.put(layout.slotOffset(sequencer, 7), (long) BATCH_BYTES);
                }
                for (int coroutine = 0; coroutine < shape.transactionCoroutines(); coroutine++) {
                    long id = Timestamp.of(9, node, coroutine);
                    places.put(layout.finishedOffset(id), 8L);
                    places.put(layout.inboxOffset(id), 8L * CalvinLayout.MAX_INBOX_PARTS);
                    places.put(layout.votesOffset(id), 8L * CalvinLayout.MAX_INBOX_PARTS);
                    places.put(layout.inboxResultsOffset(id), (long) layout.inboxResultsBytes());
                    for (int worker = 0; worker < shape.workers(); worker++) {
                        places.put(layout.decidedOffset(id, worker), 8L);
                    }
                }
                places.put(layout.deadOffset(node), 8L);
            }
            for (int worker = 0; worker < shape.workers(); worker++) {
                places.put(layout.batchOffset(worker), (long) BATCH_BYTES);
                places.put(layout.outboxOffset(worker, 0), (long) layout.outboxBytes());
                places.put(layout.outboxOffset(worker, 1), (long) layout.outboxBytes());
                for (int node = 0; node < shape.nodes(); node++) {
                    places.put(layout.probeOffset(worker, node), 8L);
                }
            }
            int expected = 2 * layout.sequencers()
                    + shape.nodes() * (shape.transactionCoroutines() * (4 + shape.workers()) + 1 + shape.workers())
                    + 3 * shape.workers();
            assertThat(places).hasSize(expected);
            long end = shape.sharedOffset();
            for (var place : places.entrySet()) {
                assertThat(place.getKey()).isGreaterThanOrEqualTo(end);
                assertThat(place.getKey() % 8).isZero();
                end = place.getKey() + place.getValue();
            }
            assertThat(end).isLessThanOrEqualTo(shape.sharedOffset() + layout.bytes());
        }
    }

    @Test
    void shouldReuseASlotEveryOtherEpoch() {
        CalvinLayout layout = new CalvinLayout(new NodeShape(3, 2, 4, 4096), BATCH_BYTES);
        assertThat(layout.slotOffset(5, 8)).isEqualTo(layout.slotOffset(5, 10)).isNotEqualTo(layout.slotOffset(5, 9));
    }
}
