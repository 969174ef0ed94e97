package dev.rcc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.tcp.TcpProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node of a process from its start to its end, in a cluster of this node alone. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NodeHostTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** The topic of the order to begin another incarnation. */
    private static final String ANEW = "anew";

    @TempDir
    private Path directory;

    private final Reported reported = new Reported();
    private ControlChannel control;
    private NodeHost host;

    /** What the process hears of its node. */
    private static final class Reported implements NodeHost.Progress {
        final CompletableFuture<NodeServer> running = new CompletableFuture<>();
        final CompletableFuture<RuntimeException> failed = new CompletableFuture<>();

        @Override
        public void waiting(NodeServer node, List<Integer> missing) {}

        @Override
        public void running(NodeServer node) {
            running.complete(node);
        }

        @Override
        public void failed(NodeServer node, RuntimeException why) {
            failed.complete(why);
        }
    }

    /** Notes each time that it is closed whether the workers of its node still run tasks. */
    private static final class ClosedFront extends InnerFront {
        final List<Boolean> workersRan = new ArrayList<>();
        private Worker worker;

        ClosedFront() {
            super(_ -> {});
        }

        @Override
        public void open(NodeServer node) {
            worker = node.worker(0);
        }

        @Override
        public void close() {
            if (worker != null) {
                CompletableFuture<Boolean> ran = new CompletableFuture<>();
                worker.execute(() -> ran.complete(true));
                workersRan.add(ran.completeOnTimeout(false, PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join());
                worker = null;
            }
        }
    }

    private void serve(NodeHost.Front front) {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "counters", 8, 10)))
                .withCode(HybridCode.uniform(protocol, Primitive.RPC))
                .withShape(1, 1, 1, 1)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withRecovery(Duration.ofSeconds(5));
        host = new NodeHost(this::create, config, TimeUnit.DAYS.toNanos(20_000), front, reported);
        host.serve();
    }

    /** Makes the first incarnation; there is no address for another one. */
    private NodeServer create(ClusterConfig config, long birth) {
        if (control != null) {
            throw new UncheckedIOException(new IOException("the address is in use"));
        }
        control = new LoopbackPeers(1).channel(0);
        MembershipOptions membership = new MembershipOptions(directory, Duration.ofMillis(100), Duration.ofMillis(200));
        return new NodeServer(config, new TcpProvider(), control, birth, Optional.of(membership));
    }

    @AfterEach
    void close() {
        host.close();
    }

    private RuntimeException failure() throws InterruptedException, ExecutionException, TimeoutException {
        return reported.failed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private NodeServer running() throws InterruptedException, ExecutionException, TimeoutException {
        return reported.running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    // Goal: a client that connects while the node leaves the cluster is not handed to workers that have
    // ended, which would never serve it, and the last answers leave.
    @Test
    void shouldCloseItsClientsConnectionsBeforeItsWorkersEnd() throws Exception {
        ClosedFront front = new ClosedFront();
        serve(front);
        NodeServer node = running();
        while (!node.isServing()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
        assertThat(host.drain(PATIENCE)).isTrue();
        assertThat(front.workersRan).containsExactly(true);
        assertThat(node.state()).isEqualTo(NodeServer.State.STOPPED);
    }

    @Test
    void shouldReportWhyClientsCannotBeAdmitted() throws Exception {
        RuntimeException why = new IllegalArgumentException("a result does not fit");
        serve(new InnerFront(_ -> {
            throw why;
        }));
        assertThat(failure()).isSameAs(why);
    }

    @Test
    void shouldReportAnErrorThatKeepsClientsOut() throws Exception {
        Error why = new NoClassDefFoundError("dev/rcc/Missing");
        serve(new InnerFront(_ -> {
            throw why;
        }));
        assertThat(failure()).hasCause(why).hasMessageContaining("dev/rcc/Missing");
    }

    // Goal: a process that is told to end while it starts reports no failure that an operator would look for.
    @Test
    void shouldReportNoFailureOfAStartThatItCutsShort() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        serve(new InnerFront(_ -> {
            opening.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            throw new UncheckedIOException(new ClosedByInterruptException());
        }));
        opening.await();
        assertThat(host.drain(PATIENCE)).isTrue();
        assertThat(reported.failed).isNotDone();
    }

    // Goal: a process whose node cannot come back ends, instead of living on without a node.
    @Test
    void shouldReportWhyAnotherIncarnationCannotBegin() throws Exception {
        serve(new InnerFront(_ -> {}));
        running();
        byte[] incarnation =
                ByteBuffer.allocate(Long.BYTES).putLong(control.incarnation()).array();
        CompletableFuture<byte[]> _ = control.ask(0, ANEW, incarnation);
        assertThat(failure()).hasMessageContaining("the address is in use");
    }
}
