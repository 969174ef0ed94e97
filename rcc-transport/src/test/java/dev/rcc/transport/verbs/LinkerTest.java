package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.ExpectedLog;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.JvmControl;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts that need no device: how the linker shares the control channel with the rest of the node, and how two of them agree. */
@Timeout(60)
class LinkerTest {
    private static final byte NOTICE = 1;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport.verbs");
    private final JvmControl.Cluster cluster = new JvmControl.Cluster(2);
    private final JvmControl node = cluster.join(0);
    private final JvmControl peer = cluster.join(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    @BeforeEach
    void expectLog() {
        log.expect();
    }

    @AfterEach
    void close() {
        node.close();
        peer.close();
        log.close();
    }

    // Goal: a link that takes long to make does not keep the node from answering, and from seeing who has gone.
    @Test
    void shouldNotHoldUpTheControlChannelWhileItIsBusy() throws Exception {
        Linker linker = new Linker(slow(), new PeerGates(0, 2));
        CountDownLatch down = new CountDownLatch(1);
        node.serve("other", (from, question) -> question);
        node.listen(new Control.Listener() {
            @Override
            public void up(int of, long incarnation) {}

            @Override
            public void down(int of) {
                down.countDown();
            }
        });
        node.start();
        peer.start();
        // Has the lock until it knows whether the peer is up.
        CompletableFuture<?> _ = CompletableFuture.runAsync(() -> linker.fence(1));
        busy.await();
        CompletableFuture<byte[]> late = peer.ask(0, "verbs", new byte[] {NOTICE, 0, 0, 0, 0});
        assertThat(peer.ask(0, "other", new byte[] {7}).get()).containsExactly(7);
        cluster.kill(1);
        down.await();
        assertThat(late).isNotDone();
        free.countDown();
        assertThat(late.get()).isEmpty();
    }

    // Goal: a node that loses its peer and gets it back makes a new link, however late it learns of the loss.
    // Method: node 1 learns of a loss only when the link that was made after the loss is in use.
    @Test
    void shouldMakeALinkAnewThatALateLossHasEnded() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        peer.listen(new Control.Listener() {
            @Override
            public void up(int of, long incarnation) {}

            @Override
            public void down(int of) {
                try {
                    lost.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Linker lower = started(node, new DevicelessMaker(node));
        Linker higher = started(peer, new DevicelessMaker(peer));
        int first = awaitLinkAfter(0, lower, higher);
        cluster.cut(0, 1);
        cluster.heal(0, 1);
        int second = awaitLinkAfter(first, lower, higher);

        lost.countDown();

        awaitLinkAfter(second, lower, higher);
    }

    // Goal: the own node can be reached again after its connections broke, also if the first attempts fail.
    @Test
    void shouldMakeItsLinkToItselfAnew() {
        DevicelessMaker maker = new DevicelessMaker(node);
        Linker linker = started(node, maker);
        for (int failures = 0; failures < 3; failures++) {
            PeerLink before = linker.using(0);
            maker.failures.set(failures);
            linker.callsBroken(0, before.attempt() + 1, 0, "a link that is not there yet");
            assertThat(linker.using(0)).isSameAs(before);
            linker.callsBroken(0, before.attempt(), 0, "broken by this test");
            await(() -> linker.using(0) != null && linker.using(0) != before);
            assertThat(linker.using(0).attempt()).isGreaterThan(before.attempt());
        }
        assertThat(maker.failures.get()).isZero();
    }

    // Goal: a fence, which takes the same lock, does not wait for connections that take long to make.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldHaveItsLockWhileConnectionsForCallsAreMade(int slow) throws Exception {
        DevicelessMaker[] makers = {new DevicelessMaker(node), new DevicelessMaker(peer)};
        makers[slow].isSlow = true;
        Linker[] linkers = {started(node, makers[0]), started(peer, makers[1])};
        busy.await();

        linkers[slow].admit(1 - slow, Long.MAX_VALUE); // not the present incarnation: ends the link

        free.countDown();
        await(() -> makers[slow].discarded.get() == 1);
        assertThat(makers[slow].used.get()).isZero();
        assertThat(linkers[slow].using(1 - slow)).isNull();
    }

    // Goal: no request of an earlier link takes effect after one of the link that is made next.
    // Method: at one of the two nodes, the workers are slow to give the earlier link up.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldUseNoLinkBeforeTheWorkersOfBothNodesHaveGivenUpTheEarlierOne(int slow) throws Exception {
        DevicelessMaker[] makers = {new DevicelessMaker(node), new DevicelessMaker(peer)};
        makers[slow].endsLate = true;
        Linker[] linkers = {started(node, makers[0]), started(peer, makers[1])};
        int first = awaitLinkAfter(0, linkers[0], linkers[1]);
        cluster.cut(0, 1);
        cluster.heal(0, 1);
        busy.await();

        assertThat(attempt(linkers[0].using(1))).isLessThanOrEqualTo(first);
        assertThat(attempt(linkers[1].using(0))).isLessThanOrEqualTo(first);
        free.countDown();

        awaitLinkAfter(first, linkers[0], linkers[1]);
    }

    private static Linker started(JvmControl control, Linker.Maker maker) {
        Linker linker = new Linker(control, new PeerGates(control.node(), 2));
        linker.start(maker);
        control.start();
        return linker;
    }

    /** Waits until both use a link of a later attempt, and returns that. */
    private static int awaitLinkAfter(int attempt, Linker lower, Linker higher) {
        await(() -> {
            int last = attempt(lower.using(1));
            return last > attempt && last == attempt(higher.using(0));
        });
        return attempt(lower.using(1));
    }

    private static int attempt(PeerLink link) {
        return link == null ? 0 : link.attempt();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.interrupted()).as("interrupted by the time-out").isFalse();
            LockSupport.parkNanos(100_000);
        }
    }

    /** Makes links without queue pairs. */
    private final class DevicelessMaker implements Linker.Maker {
        private final Hello own;
        private final int self;
        private final AtomicInteger used = new AtomicInteger();
        private final AtomicInteger discarded = new AtomicInteger();
        private boolean isSlow;
        private boolean endsLate;
        /** How many of the next attempts fail. */
        private final AtomicInteger failures = new AtomicInteger();

        private int links;

        DevicelessMaker(JvmControl control) {
            own = new Hello(
                    control.incarnation(), 1, 1, 0, 0, 0, true, 1024, 1, 1, "none", new byte[0], new PeerRegions());
            self = control.node();
        }

        @Override
        public Hello own() {
            return own;
        }

        @Override
        public PeerLink make(int of, int attempt, Hello hello) {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("planted by this test");
            }
            return new PeerLink(of, attempt, ++links, hello.incarnation(), hello.regions(), 1, 1);
        }

        @Override
        public byte[] numbers(PeerLink link) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(link.attempt()).array();
        }

        @Override
        public void connect(PeerLink link, Hello hello, ByteBuffer numbers) {}

        @Override
        public RpcTransport.Prepared prepareCalls(PeerLink link, Hello hello) {
            boolean isToPeer = link.peer() != self;
            if (isSlow && isToPeer) {
                busy.countDown();
                awaitFree();
            }
            return new RpcTransport.Prepared() {
                @Override
                public void use() {
                    used.addAndGet(isToPeer ? 1 : 0);
                }

                @Override
                public void discard() {
                    discarded.incrementAndGet();
                }
            };
        }

        @Override
        public void end(PeerLink link) {}

        @Override
        public void awaitEnds() {
            if (endsLate) {
                busy.countDown();
                awaitFree();
            }
        }

        @Override
        public void checkFits(int of, Hello hello) {}
    }

    private void awaitFree() {
        try {
            free.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The node's control, which is slow to say whether a peer is up. */
    private Control slow() {
        return (Control) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Control.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isUp")) {
                        busy.countDown();
                        free.await();
                        return false;
                    }
                    return method.invoke(node, arguments);
                });
    }
}
