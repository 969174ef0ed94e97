package dev.rcc.server.recovery;

import static dev.rcc.server.testing.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.testing.FirstFailure;
import dev.rcc.server.testing.InnerFront;
import dev.rcc.server.testing.LoopbackPeers;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors on the threads by which a node takes part in replacing dead nodes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MembershipDefectTest {
    private static final int NODES = 2;

    @TempDir
    private Path directory;

    private final LoopbackPeers peers = new LoopbackPeers(NODES);
    private final List<NodeHost> hosts = new ArrayList<>();
    private final AtomicReference<RuntimeException> failed = new AtomicReference<>();

    private void serve(int node, FabricProvider network, Consumer<HeldControl> plant) {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "counters", 8, NODES)))
                .withCode(HybridCode.uniform(protocol, Primitive.RPC))
                .withShape(NODES, 1, 1, NODES)
                .withMemory(1 << 16, 1 << 16, 1 << 12)
                .withRecovery(Duration.ofSeconds(5));
        MembershipOptions options = new MembershipOptions(
                directory.resolve("members-" + node), Duration.ofMillis(100), Duration.ofMillis(200));
        NodeHost.Factory factory = (serving, birth) -> {
            HeldControl control = new HeldControl(peers.channel(node));
            plant.accept(control);
            return new NodeServer(serving, network, control, birth, Optional.of(options));
        };
        NodeHost host = new NodeHost(
                factory, config, TimeUnit.DAYS.toNanos(20_000), new InnerFront(_ -> {}), new FirstFailure(failed));
        hosts.add(host);
        host.serve();
    }

    @AfterEach
    void close() {
        hosts.forEach(NodeHost::close);
    }

    // Goal: a node whose thread is gone does not keep its place, while it neither replaces dead nodes nor has a
    // lease: its process is told to end. Method: the leader's thread asks whether nodes are ready; another one
    // asks for leases.
    @ParameterizedTest
    @ValueSource(strings = {"ready", "lease"})
    void shouldReportAnErrorThatEndsAThreadOfTheMembership(String topic) throws Exception {
        Error defect = new OutOfMemoryError("planted by this test");
        for (int node = 0; node < NODES; node++) {
            serve(node, new TcpProvider(), control -> control.breakOn(topic, defect));
        }
        await("a failure is reported", () -> failed.get() != null);
        assertThat(failed.get()).hasCause(defect).hasMessageContaining("planted by this test");
    }

    // Goal: a node that cannot enter a configuration on which the nodes agreed does not stay a member that serves
    // nothing.
    @Test
    void shouldReportADefectThatKeepsItFromEnteringAConfiguration() throws Exception {
        for (int node = 0; node < NODES; node++) {
            serve(node, new ClosedNetwork(new TcpProvider()), control -> {});
        }
        await("a failure is reported", () -> failed.get() != null);
        assertThat(failed.get()).hasMessageContaining("admits no peer");
    }

    /** A network that fails when a peer is to be let in. */
    private record ClosedNetwork(FabricProvider inner) implements FabricProvider {
        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public List<Option> options() {
            return inner.options();
        }

        @Override
        public FabricProvider with(OptionValues values) {
            return new ClosedNetwork(inner.with(values));
        }

        @Override
        public Atomicity atomicity() {
            return inner.atomicity();
        }

        @Override
        public Fabric attach(Control control) {
            Fabric fabric = inner.attach(control);
            return (Fabric) Proxy.newProxyInstance(
                    Fabric.class.getClassLoader(), new Class<?>[] {Fabric.class}, (proxy, method, args) -> {
                        if (method.getName().equals("admit")) {
                            throw new IllegalStateException("the network admits no peer");
                        }
                        return method.invoke(fabric, args);
                    });
        }
    }
}
