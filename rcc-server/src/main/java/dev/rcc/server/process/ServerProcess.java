package dev.rcc.server.process;

import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.admin.NodePages;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.durability.NodeDurability;
import dev.rcc.server.durability.WalDamaged;
import dev.rcc.server.gateway.ServedGateway;
import dev.rcc.server.gateway.UsersFile;
import dev.rcc.transport.control.ControlChannel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server process from its start to its end: the node, its gateway, its admin server, and the signals that end it. */
public final class ServerProcess implements NodeHost.Progress {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final ServerConfig config;
    private final Extension bench;
    private final PrintWriter out;
    private final CountDownLatch endAsked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ServedGateway gateway;
    private volatile boolean failed;

    /** Further services of a process for administrators, such as benchmarks. */
    @FunctionalInterface
    public interface Extension {
        /** Adds its pages, before the node serves. */
        void addTo(AdminServer admin, NodeHost host, ServerConfig config);
    }

    /** A process that reports its progress in {@code out}. */
    public ServerProcess(ServerConfig config, Extension bench, PrintWriter out) {
        this.config = config;
        this.bench = bench;
        this.out = out;
        this.gateway = new ServedGateway(config.gateway(), config.advertised(), config.procedures());
    }

    /**
     * Runs until it is asked to end.
     *
     * @param parent the id of a process; when it ends, this one ends, too; or empty
     * @return whether it ended in order: it started, and no transaction was cut off
     * @throws IOException when an address cannot be bound
     */
    public boolean run(String parent) throws IOException, InterruptedException {
        NodeHost host = new NodeHost(this::create, config.cluster(), birthNanos(), gateway, this);
        try (AdminServer admin = new AdminServer(config.admin());
                host;
                UsersFile users = config.usersFile(gateway::users).orElse(null)) {
            new NodePages(host, config.node()).addTo(admin);
            if (config.values().text(ServerOptions.BENCH).equals("yes")) {
                bench.addTo(admin, host, config);
            }
            int port = admin.address().getPort();
            Optional<Path> state = config.values().isGiven(ServerOptions.STATE)
                    ? Optional.of(Path.of(config.values().text(ServerOptions.STATE)))
                    : Optional.empty();
            if (state.isPresent()) {
                writeState(state.get(), port); // first: a reader of "running" may look for it
            }
            try {
                host.serve();
            } catch (WalDamaged | UncheckedIOException e) {
                say("cannot start: " + e.getMessage());
                if (state.isPresent()) {
                    Files.deleteIfExists(state.get());
                }
                return false;
            }
            if (users != null) {
                users.watch();
            }
            admin.start();
            say("admin http://" + config.admin().getHostString() + ":" + port);
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

    private NodeServer create(ClusterConfig cluster, long birthWallNanos) {
        ControlChannel control;
        try {
            control = ControlChannel.bind(config.control(cluster), config.listen());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        control.peersAt(config.peers());
        return new NodeServer(cluster, config.network(), control, birthWallNanos, Optional.of(config.membership()));
    }

    private void writeState(Path file, int adminPort) throws IOException {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("id", config.node());
        json.put("pid", ProcessHandle.current().pid());
        json.put("admin", "http://" + config.admin().getHostString() + ":" + adminPort);
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(unfinished, MAPPER.writeValueAsString(json));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void waiting(NodeServer node, List<Integer> missing) {
        say("waiting for "
                + missing.stream()
                        .map(peer -> "node " + peer + " (" + text(config.peers().get(peer)) + ")")
                        .toList());
    }

    /** An address as it was given. */
    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
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
        long configured = nanos(config.birth());
        DurabilityOptions durability = config.cluster().durability();
        return durability == null ? configured : NodeDurability.birthWallNanos(durability, config.node(), configured);
    }

    private static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }
}
