package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.control.JvmControl;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostLinksTest {
    private static final int NODES = 4;
    private static final int LEADER = 1;
    /** Longer than a lost link of either network must last, and until the losses count as settled. */
    private static final long LONG_SECONDS = 15;

    private final JvmControl.Cluster controls = new JvmControl.Cluster(NODES);
    private final AtomicLong nanos = new AtomicLong(1);
    /** By node and peer: whether the network that carries transactions is cut. */
    private final boolean[][] cut = new boolean[NODES][NODES];

    private final LostLinks[] links = new LostLinks[NODES];

    @BeforeEach
    void join() {
        for (int node = 0; node < NODES; node++) {
            join(node);
        }
        pass(LONG_SECONDS);
    }

    @AfterEach
    void close() {
        IntStream.range(0, NODES).forEach(controls::kill);
    }

    private void join(int node) {
        JvmControl control = controls.join(node);
        links[node] = new LostLinks(control, peer -> !cut[node][peer], Duration.ofSeconds(10), nanos::get);
        control.start();
        IntStream.range(0, NODES).filter(each -> links[each] != null).forEach(controls::awaitEvents);
    }

    /** Time passes, and all nodes report what they miss. */
    private void pass(long seconds) {
        for (long ms = 0; ms < TimeUnit.SECONDS.toMillis(seconds); ms += LostLinks.TELL_MILLIS) {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LostLinks.TELL_MILLIS));
            for (LostLinks each : links) {
                each.tell();
            }
            IntStream.range(0, NODES).forEach(controls::awaitAnswers);
        }
    }

    private void cut(int one, int other) {
        cut[one][other] = true;
        cut[other][one] = true;
    }

    private void cutOff(int node) {
        IntStream.range(0, NODES).filter(peer -> peer != node).forEach(peer -> cut(node, peer));
    }

    private BitSet without() {
        BitSet all = new BitSet();
        all.set(0, NODES);
        return links[LEADER].without(all);
    }

    @Test
    void shouldLeaveNoNodeOutWhileAllReachEachOther() {
        assertThat(without().stream()).isEmpty();
    }

    @Test
    void shouldLeaveOutTheLastOfTwoNodesThatHaveLostEachOther() {
        controls.cut(0, 2);
        pass(LONG_SECONDS);
        assertThat(without().stream()).containsExactly(2);
    }

    // Goal: the network that carries transactions counts, too: a node's NIC for RDMA may fail, and its Ethernet go on.
    @Test
    void shouldLeaveOutANodeThatNoneReachesOnTheNetworkOfTransactions() {
        cutOff(0);
        pass(LONG_SECONDS);
        assertThat(without().stream()).containsExactly(0);
    }

    @Test
    void shouldLeaveItselfOutIfNoneReachesIt() {
        cutOff(LEADER);
        pass(LONG_SECONDS);
        assertThat(without().stream()).containsExactly(LEADER);
    }

    @Test
    void shouldLeaveOutTheOtherNodeIfItHasLostOnlyThat() {
        cut(0, LEADER);
        pass(LONG_SECONDS);
        assertThat(without().stream()).containsExactly(0);
    }

    @Test
    void shouldLeaveNoNodeOutForALinkThatIsSoonThereAgain() {
        cut(0, 2);
        pass(9);
        assertThat(without().stream()).isEmpty();
        cut[0][2] = false;
        cut[2][0] = false;
        pass(LONG_SECONDS);
        assertThat(without().stream()).isEmpty();
    }

    // Goal: a network may take its time to connect for the first time.
    @Test
    void shouldNotMissAnIncarnationThatItHasNotReachedYet() {
        controls.kill(3);
        cutOff(3);
        join(3);
        pass(LONG_SECONDS);
        assertThat(without().stream()).isEmpty();
    }
}
