package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.worker.Completion;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * A peer writes invalid data into shared memory. Goal: its victim neither crashes nor hangs nor runs out of memory, cuts the peer off when it detects
 * the damage, and goes on with all other peers. Not all damage can be detected: well-formed false data is accepted.
 */
class ShmFuzzTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.rcc.transport");

    /** Invalid records and calls of missing handlers are logged; a green run stays silent. */
    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void listenAgain() {
        LOG.setLevel(null);
    }

    @Test
    void shouldSurviveAPeerThatIsOutOfItsMind() {
        long[] cutOffs = new long[1];
        Seeds.forEach(150, random -> {
            try (ManualCluster nodes = new ManualCluster(3).start()) {
                Memory toVictim =
                        nodes.fabrics[0].connection(1).link(0).writer().memory();
                Memory fromVictim =
                        nodes.fabrics[1].connection(0).link(0).writer().memory();
                Completion toMadman = ManualCluster.completion();
                Completion toOther = ManualCluster.completion();
                int asked = 0;
                for (int round = 0; round < 50; round++) {
                    if (nodes.fabrics[1].isReachable(0)) {
                        nodes.call(1, 0, round, toMadman);
                    }
                    nodes.call(1, 2, round, toOther);
                    nodes.call(2, 1, round, toOther);
                    asked += 2;
                    if (random.nextInt(3) > 0) {
                        nodes.turn(0); // it also works correctly at times
                    }
                    for (int i = random.nextInt(4); i > 0; i--) {
                        Memory ring = random.nextInt(3) > 0 ? toVictim : fromVictim;
                        if (ring.segment().scope().isAlive()) { // false after a cut-off, once it is released
                            spoil(random, ring);
                        }
                    }
                    nodes.turn(1);
                    nodes.turn(2);
                }
                for (int turns = 0; turns < 10; turns++) {
                    nodes.turn(1);
                    nodes.turn(2);
                }
                assertThat(toOther.outstanding())
                        .as("of %d calls between the sane", asked)
                        .isZero();
                assertThat(toOther.await()).isTrue();
                assertThat(nodes.callAndWait(2, 1, 77)).isTrue();
                if (nodes.fabrics[1].cutOffs() > 0) {
                    assertThat(nodes.fabrics[1].isReachable(0)).isFalse();
                }
                cutOffs[0] += nodes.fabrics[1].cutOffs();
                nodes.kill(0);
                nodes.turn(1);
                assertThat(toMadman.outstanding()).as("calls that hang").isZero();
            }
        });
        // With a single seed the victim may have detected nothing.
        assertThat(cutOffs[0]).isGreaterThanOrEqualTo(Long.getLong("rcc.seed") == null ? 50 : 0);
    }

    // Goal: a peer that sends requests and reads no reply does not exhaust its victim's memory.
    @Test
    void shouldCutOffAPeerThatReadsNoReplies() {
        int noHandler = 99;
        int most = 1 << 17;
        try (ManualCluster nodes = new ManualCluster(2).start()) {
            nodes.turn();
            ShmRingWriter toVictim = nodes.fabrics[0].connection(1).link(0).writer();
            Memory request = nodes.buffers[0];
            int sent = 0;
            while (sent < most && nodes.fabrics[1].isReachable(0)) {
                while (toVictim.write(ShmRingLayout.REQUEST, noHandler, sent, 8, request, 0, 8)) {
                    sent++;
                }
                toVictim.publish();
                nodes.turn(1);
            }
            assertThat(sent).as("requests before the cut").isLessThan(most);
            assertThat(nodes.fabrics[1].cutOffs()).isOne();
            nodes.turn(1); // drops the replies
            assertThat(((ShmEndpoint) nodes.endpoints[1]).objectsMade()).isLessThan(most);
        }
    }

    private static void spoil(SplittableRandom random, Memory ring) {
        long at = ShmRingLayout.RECORDS + 8L * random.nextInt(64);
        switch (random.nextInt(6)) {
            case 0 -> ring.putLong(ShmRingLayout.TAIL, ring.getLong(ShmRingLayout.TAIL) + random.nextInt(-4096, 8192));
            case 1 -> ring.putLong(ShmRingLayout.HEAD, ring.getLong(ShmRingLayout.HEAD) + random.nextInt(-4096, 8192));
            case 2 -> ring.putLong(at, ring.getLong(at) ^ 1L << random.nextInt(64));
            case 3 -> ring.putLong(at, random.nextLong());
            case 4 -> {
                // A complete record, with ids and sizes that are nearly right.
                long tail = ring.getLong(ShmRingLayout.TAIL);
                long start = ShmRingLayout.RECORDS + (tail & 4088);
                if (start + 64 <= ring.size()) {
                    ring.putLong(
                            start, ShmRingLayout.header(random.nextInt(5), random.nextInt(256), random.nextInt(40)));
                    ring.putLong(start + 8, (long) random.nextInt(3) << 32 | random.nextInt(-1, 4));
                    ring.putLong(start + 16, random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(64));
                    ring.putRelease(ShmRingLayout.TAIL, tail + 64);
                }
            }
            default ->
                ring.putLong(random.nextInt(2) == 0 ? ShmRingLayout.TAIL : ShmRingLayout.HEAD, random.nextLong());
        }
    }
}
