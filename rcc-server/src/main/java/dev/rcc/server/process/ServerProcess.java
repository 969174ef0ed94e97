package dev.rcc.server.process;

import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.admin.NodePages;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.WalDamaged;
import dev.rcc.server.gateway.ServedGateway;
import dev.rcc.server.gateway.UsersFile;
import dev.rcc.transport.control.ControlChannel;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server process from its start to its end: the node, its gateway, its admin server, and the signals that end it. */
public final class ServerProcess implements NodeHost.Progress {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private final ServerConfig config;
    private final Extension bench;
    private final PrintWriter out;
    private final CountDownLatch endAsked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ServedGateway gateway;
    private final Optional<StateFile> state;
    private volatile boolean failed;

    /** Further services of a process for administrators, such as benchmarks. */
    @FunctionalInterface
    public interface Extension {
        /** Adds its pages, before the node serves; {@code gateway} admits clients while the process is not leased. */
        void addTo(AdminServer admin, NodeHost host, ServerConfig config, ServedGateway gateway);
    }

    /**
     * A process that reports its progress in {@code out}. Logs a warning if the tables may come to need more memory than the machine has.
     *
     * @throws IllegalArgumentException when the tables need more from the start; names them
     */
    public ServerProcess(ServerConfig config, Extension bench, PrintWriter out) {
        TableMemory.check(List.of(config), TableMemory.ofMachine())
                .ifPresent(warning -> LOG.warn("event=tables_exceed_memory node={}: {}", config.node(), warning));
        this.config = config;
        this.bench = bench;
        this.out = out;
        this.gateway = new ServedGateway(config.gateway(), config.advertised(), config.procedures());
        this.state = config.values().isGiven(ServerOptions.STATE)
                ? Optional.of(new StateFile(Path.of(config.values().text(ServerOptions.STATE))))
                : Optional.empty();
    }

    /**
     * Runs until it is asked to end.
     *
     * @param parent the id of a process; when it ends, this one ends, too; or empty
     * @return whether it ended in order: it started, and no transaction was cut off
     * @throws IOException when an address cannot be bound
     */
    public boolean run(String parent) throws IOException, InterruptedException {
        try (AdminServer admin = new AdminServer(config.admin());
                NodeHost host = new NodeHost(
                        (cluster, birth) -> create(cluster, birth, url(admin)),
                        config.cluster(),
                        birthNanos(),
                        gateway,
                        this);
                UsersFile users = config.usersFile(gateway::users).orElse(null)) {
            new NodePages(host, config.node()).addTo(admin);
            if (config.values().text(ServerOptions.BENCH).equals("yes")) {
                bench.addTo(admin, host, config, gateway);
            }
            try {
                host.serve();
            } catch (WalDamaged | UncheckedIOException e) {
                say("cannot start: " + e.getMessage());
                if (state.isPresent()) {
                    state.get().deleteIfWritten();
                }
                return false;
            }
            if (users != null) {
                users.watch();
            }
            admin.start();
            say("admin " + url(admin));
            endWith(parent);
            Thread hook = new Thread(this::onSignal, "rcc-end");
            Runtime.getRuntime().addShutdownHook(hook);
            endAsked.await();
            if (failed) {
                return false;
            }
            say("draining: new transactions are refused, running ones end");
            double seconds = config.values().decimal(ServerOptions.DRAIN);
            boolean drained = drain(host, Duration.ofNanos((long) (seconds * TimeUnit.SECONDS.toNanos(1))));
            say(drained ? "ended" : "ended, with transactions cut off after " + seconds + " s");
            return drained;
        } finally {
            ended.countDown();
        }
    }

    /** Drains the node, and logs a failure: once this method has ended, the JVM ends, and nothing else would log it. */
    private boolean drain(NodeHost host, Duration most) throws InterruptedException {
        try {
            return host.drain(most);
        } catch (RuntimeException | Error e) {
            LOG.error("event=drain_failed node={}", config.node(), e);
            throw e;
        }
    }

    /** Handles a signal: makes the main thread end the node, and delays the JVM's end meanwhile. */
    private void onSignal() {
        endAsked.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endWith(String parent) {
        if (parent.isEmpty()) {
            return;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(parent));
        if (process.isEmpty()) {
            endAsked.countDown();
        } else {
            CompletableFuture<Void> _ = process.get().onExit().thenRun(endAsked::countDown);
        }
    }

    private String url(AdminServer admin) {
        return "http://"
                + NetUtil.toSocketAddressString(
                        config.admin().getHostString(), admin.address().getPort());
    }

    private NodeServer create(ClusterConfig cluster, long birthWallNanos, String admin) {
        ControlChannel control;
        try {
            control = ControlChannel.bind(config.control(cluster), config.listen());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Not earlier: as long as the port is in use, another process is the node.
        // Not later: a reader of "running" may look for the file.
        state.ifPresent(file -> file.write(config.node(), admin));
        control.peersAt(config.peers());
        return new NodeServer(cluster, config.network(), control, birthWallNanos, Optional.of(config.membership()));
    }

    @Override
    public void waiting(NodeServer node, List<Integer> missing) {
        say("waiting for "
                + missing.stream()
                        .map(peer -> "node " + peer + " (" + text(config.peers().get(peer)) + ")")
                        .toList());
    }

    private static String text(InetSocketAddress address) {
        return NetUtil.toSocketAddressString(address.getHostString(), address.getPort());
    }

    @Override
    public void running(NodeServer node) {
        node.whenDiskFails(() -> failed(node, new IllegalStateException("the disk has failed")));
        say("running: " + node.config().protocol().name() + " "
                + node.config().code().digits() + " on " + node.network() + ", "
                + node.config().nodes() + " nodes, clients at "
                + gateway.address().orElse("none"));
    }

    @Override
    public void failed(NodeServer node, RuntimeException why) {
        say("cannot go on: " + why.getMessage());
        failed = true;
        endAsked.countDown();
    }

    private void say(String text) {
        synchronized (out) {
            out.println("node " + config.node() + ": " + text);
            out.flush();
        }
    }

    /** The cluster's birth: the birth of its data, if it has any. */
    private long birthNanos() {
        Instant instant = config.birthInEffect();
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
