package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.txn.Lease;
import dev.rcc.server.membership.Configuration;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlFailure;
import dev.rcc.transport.control.ControlOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises of node 0 of three, and the end of its incarnation. */
class MemberStateTest {
    private static final Placement HOME = new RingPlacement(3, 2);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long LIFE_OF_1 = 11;
    private static final long LIFE_OF_2 = 22;

    private final Lease lease = Lease.over(System.nanoTime());
    private final CountDownLatch expelled = new CountDownLatch(1);
    private ControlChannel control;
    private Configuration agreed;
    private MemberState state;

    @BeforeEach
    void bind() throws IOException {
        control = ControlChannel.bind(
                ControlOptions.of("test", 0, 3), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        agreed = Configuration.of(0, List.of(0L, 0L, 0L), HOME);
        state = new MemberState(control, () -> agreed, lease, expelled::countDown);
    }

    @AfterEach
    void close() {
        control.close();
    }

    private void goInto(long epoch) {
        agreed = Configuration.of(epoch, List.of(control.incarnation(), LIFE_OF_1, LIFE_OF_2), HOME);
        state.goInto(agreed, () -> {});
    }

    private void goOnWithoutIt(long epoch) {
        agreed = Configuration.of(epoch, List.of(0L, LIFE_OF_1, LIFE_OF_2), HOME);
        state.goneOn(agreed);
    }

    private void freeze(long incarnation, long configEpoch, int lost) {
        BitSet nodes = new BitSet();
        nodes.set(lost);
        state.accept(
                new RecoveryOrder(
                        incarnation, 1, 1, configEpoch, RecoveryOrder.Step.FREEZE, nodes, HOME, HOME, 0, 0, Set.of()),
                new RecoveryRounds(0));
    }

    @Test
    void shouldGrantLeasesToMembersOfItsConfiguration() {
        assertThat(state.grant(1, LIFE_OF_1, 0, MINUTE)).as("none has formed").isFalse();
        goInto(5);
        assertThat(state.grant(1, LIFE_OF_1, 5, MINUTE)).isTrue();
        assertThat(state.grant(1, LIFE_OF_1, 4, MINUTE)).as("it is behind").isFalse();
        assertThat(state.grant(1, LIFE_OF_1 + 1, 5, MINUTE))
                .as("another incarnation")
                .isFalse();
    }

    // A node that takes another one out waits for the leases that it was granted before: there must be none
    // after.
    @Test
    void shouldGrantNoLeaseToANodeThatItRemovesUntilTheNextConfiguration() {
        goInto(5);
        assertThat(state.grant(1, LIFE_OF_1, 5, MINUTE)).isTrue();
        freeze(control.incarnation(), 6, 1);
        assertThat(state.grant(1, LIFE_OF_1, 5, MINUTE)).isFalse();
        assertThat(state.grant(2, LIFE_OF_2, 5, MINUTE)).isTrue();
        assertThat(state.untilLeasesAreOver(bits(1))).isBetween(MINUTE / 2, MINUTE);
        goInto(6);
        assertThat(state.grant(1, LIFE_OF_1, 6, MINUTE)).isTrue();
    }

    @Test
    void shouldTakeALeaseBackFromANodeThatLeaves() {
        goInto(5);
        assertThat(state.grant(1, LIFE_OF_1, 5, MINUTE)).isTrue();
        state.hearLeave(1, LIFE_OF_1);
        assertThat(state.untilLeasesAreOver(bits(1))).isZero();
        assertThat(state.grant(1, LIFE_OF_1, 5, MINUTE)).isFalse();
        assertThat(state.isLeaving(1, LIFE_OF_1 + 1)).isFalse();
    }

    @Test
    void shouldServeNoMoreWhenTheOthersHaveGoneOn() throws InterruptedException {
        goInto(5);
        state.prolong(System.nanoTime() + MINUTE);
        assertThat(state.holdsLease()).isTrue();
        goOnWithoutIt(6);
        state.prolong(System.nanoTime() + MINUTE);
        assertThat(state.holdsLease()).isFalse();
        assertThat(state.isOver()).isTrue();
        assertThat(expelled.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void shouldNotBeExpelledAfterItHasLeft() {
        goInto(5);
        state.prolong(System.nanoTime() + MINUTE);
        state.leave();
        state.prolong(System.nanoTime() + MINUTE);
        assertThat(state.holdsLease()).isFalse();
        state.beginAnew("as the test has it");
        assertThat(state.isOver()).isFalse();
        goOnWithoutIt(6);
        assertThat(state.isOver()).isTrue();
        assertThat(expelled.getCount()).isOne();
    }

    @Test
    void shouldRejectOrdersForAnotherIncarnationOrForNoLaterConfiguration() {
        goInto(5);
        long incarnation = control.incarnation();
        assertThatThrownBy(() -> freeze(incarnation + 1, 6, 1)).isInstanceOf(ControlFailure.class);
        assertThatThrownBy(() -> freeze(incarnation, 5, 1)).isInstanceOf(ControlFailure.class);
        freeze(incarnation, 6, 1);
        state.beginAnew("as the test has it");
        assertThatThrownBy(() -> freeze(incarnation, 7, 1)).isInstanceOf(ControlFailure.class);
    }

    private static BitSet bits(int node) {
        BitSet nodes = new BitSet();
        nodes.set(node);
        return nodes;
    }
}
