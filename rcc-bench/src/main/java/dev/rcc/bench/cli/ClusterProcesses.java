package dev.rcc.bench.cli;

import dev.rcc.bench.agent.EndInOrder;
import dev.rcc.server.process.ClientAccessOptions;
import dev.rcc.server.process.FabricOptions;
import dev.rcc.server.process.ServerConfig;
import dev.rcc.server.process.ServerOptions;
import dev.rcc.server.process.TableMemory;
import dev.rcc.transport.handshake.SecretFile;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The processes of a cluster on this machine, from their start to their end. */
final class ClusterProcesses {
    private static final Duration STOP = Duration.ofSeconds(45);
    /** Longer than the nodes take to end: the wait for them is bounded itself. */
    private static final Duration END = Duration.ofHours(1);

    private static final long LOOK_MILLIS = 100;
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final String LOOPBACK = "127.0.0.1";

    private final ClusterDirectory directory;
    private final int nodes;
    private final Optional<Namespaces> namespaces;
    private final PrintWriter out;
    private final List<Process> processes = new ArrayList<>();
    private final CountDownLatch endAsked = new CountDownLatch(1);

    /**
     * The processes of a cluster that does not run yet.
     *
     * @param namespaces the namespace of each process; empty if the processes share this process's namespace
     */
    ClusterProcesses(ClusterDirectory directory, int nodes, Optional<Namespaces> namespaces, PrintWriter out) {
        this.directory = directory;
        this.nodes = nodes;
        this.namespaces = namespaces;
        this.out = out;
    }

    /**
     * Records that this process starts the cluster, with the nodes' configurations, and draws their secret unless the directory has one. Writes
     * nothing if the nodes could not run.
     *
     * @param options adds the options that all nodes have in common
     * @throws IllegalArgumentException when the nodes could not run, or another cluster runs in the directory; names the fault
     */
    void configure(Consumer<Map<String, String>> options) throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.draw(2 * nodes);
        String peers = IntStream.range(0, nodes)
                .mapToObj(
                        node -> namespaces.map(network -> network.host(node)).orElse(LOOPBACK) + ":" + ports.get(node))
                .collect(Collectors.joining(","));
        Instant now = Instant.now();
        String name = "local-" + ProcessHandle.current().pid();
        List<Map<String, String>> configs = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            Map<String, String> config = new LinkedHashMap<>();
            config.put(ServerOptions.CLUSTER.key(), name);
            config.put(ServerOptions.NODE.key(), Integer.toString(node));
            config.put(ServerOptions.PEERS.key(), peers);
            String outside = namespaces.isPresent() ? namespaces.get().adminHost(node) : LOOPBACK;
            config.put(ClientAccessOptions.CLIENT.key(), outside + ":" + ports.get(nodes + node));
            config.put(ServerOptions.ADMIN.key(), outside + ":0");
            config.put(ServerOptions.BIRTH.key(), now.toString());
            config.put(ServerOptions.SECRET_FILE.key(), directory.secret().toString());
            options.accept(config);
            if (namespaces.isPresent()) {
                FabricOptions.listenAt(config, namespaces.get().host(node));
            }
            FabricOptions.nameShared(config, name + "-" + now.toEpochMilli());
            config.putIfAbsent(
                    ServerOptions.DATA_DIR.key(), directory.data(node).toString());
            config.put(ServerOptions.STATE.key(), directory.state(node).toString());
            config.put(ServerOptions.BENCH.key(), "yes");
            config.values().removeIf(String::isEmpty);
            configs.add(config);
        }
        List<ServerConfig> checked = configs.stream().map(this::check).toList();
        TableMemory.check(checked, TableMemory.ofMachine()).ifPresent(warning -> say("warning: " + warning));
        Optional<Instant> birth = birthOfData(checked);
        if (birth.isPresent()) {
            configs.forEach(
                    config -> config.put(ServerOptions.BIRTH.key(), birth.get().toString()));
            configs.forEach(this::check);
        }
        Files.createDirectories(directory.path());
        try (FileChannel _ = directory.lock()) { // of two commands at once, the second finds the first one's cluster
            refuseIfUsed();
            SecretFile.createIfAbsent(directory.secret());
            directory.removeLeft();
            for (int node = 0; node < nodes; node++) {
                Files.writeString(directory.config(node), YamlFile.write(configs.get(node)));
            }
            directory.begin(nodes, namespaces);
        }
    }

    private void refuseIfUsed() {
        List<ProcessHandle> owners = directory.starter().map(List::of).orElseGet(directory::processes);
        if (!owners.isEmpty()) {
            throw new IllegalArgumentException(ClusterCommand.DIR + ": got '" + directory.path()
                    + "', allowed: one without a cluster that runs; process "
                    + owners.getFirst().pid() + " has one there, 'rcc cluster down' ends it");
        }
    }

    /** Checks a configuration before anything is written, so that a command that is refused leaves nothing behind. */
    private ServerConfig check(Map<String, String> config) {
        return Files.exists(directory.secret()) ? ServerConfig.of(config) : ServerConfig.ofUnborn(config);
    }

    /** The birth of the data on the nodes' disks, which all nodes must have; also those that have no data yet, or have lost it. */
    private Optional<Instant> birthOfData(List<ServerConfig> configs) {
        Map<Instant, Integer> births = new TreeMap<>();
        configs.forEach(config -> config.birthOfData().ifPresent(birth -> births.putIfAbsent(birth, config.node())));
        if (births.size() > 1) {
            throw new IllegalArgumentException(ClusterCommand.DIR + ": got '" + directory.path()
                    + "', allowed: the data of one cluster; "
                    + births.entrySet().stream()
                            .map(each -> "that of node " + each.getValue() + " was born at " + each.getKey())
                            .collect(Collectors.joining(", ")));
        }
        return births.keySet().stream().findFirst();
    }

    /** Starts the processes, which are configured. Stops them all when asked to end, or when they do not come up in time. */
    int run(Duration start) throws IOException, InterruptedException {
        try (EndInOrder _ = new EndInOrder(endAsked::countDown, END)) {
            try {
                if (!bringUp(start, Optional.of(ProcessHandle.current()))) {
                    return Rcc.FAILED;
                }
                say("The cluster runs; its directory is %s. It ends with Ctrl-C, or 'rcc cluster down --dir %s'."
                        .formatted(directory.path(), directory.path()));
                return watch();
            } finally {
                stop();
            }
        }
    }

    /**
     * Starts the processes, which are configured, and leaves them running once they all run. Stops them when asked to end before that, or when they
     * do not come up in time.
     */
    int detach(Duration start) throws IOException, InterruptedException {
        try (EndInOrder _ = new EndInOrder(endAsked::countDown, END)) {
            boolean isUp = false;
            try {
                isUp = bringUp(start, Optional.empty());
                if (isUp) {
                    directory.detach();
                    say(
                            "The cluster runs, and goes on without this command; its directory is %s. It ends with 'rcc cluster down --dir %s'."
                                    .formatted(directory.path(), directory.path()));
                }
                return isUp ? Rcc.OK : Rcc.FAILED;
            } finally {
                if (!isUp) {
                    stop();
                }
            }
        }
    }

    /** Starts the processes, waits until they all run, and prints their addresses; false when they do not run. */
    private boolean bringUp(Duration start, Optional<ProcessHandle> parent) throws IOException, InterruptedException {
        for (int node = 0; node < nodes && endAsked.getCount() > 0; node++) {
            processes.add(start(
                    directory,
                    node,
                    parent,
                    ProcessBuilder.Redirect.to(directory.log(node).toFile())));
        }
        if (!awaitRunning(start)) {
            return false;
        }
        out.format(Locale.ROOT, "%-6s %-10s %-28s %s%n", "node", "pid", "client", "admin");
        for (ClusterDirectory.NodeStatus node : directory.nodes()) {
            out.format(
                    Locale.ROOT,
                    "%-6d %-10d %-28s %s%n",
                    node.id(),
                    node.pid(),
                    node.client().orElse("-"),
                    node.admin());
        }
        namespaces.ifPresent(network -> out.format(
                Locale.ROOT,
                "Their network is in the namespaces %s to %s; '%s' pulls the cable of node 0.%n",
                network.name(0),
                network.name(nodes - 1),
                network.plugCommand(0, false)));
        return true;
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /**
     * Starts a node's process with the Java and the JVM options of this one.
     *
     * <p>The node gets no signals that a terminal sends to this process: Ctrl-C is for the process that manages the nodes.
     *
     * @param parent the process with which the node ends; if empty, the node outlives this process
     * @param output where the node's output goes
     */
    static Process start(
            ClusterDirectory directory, int node, Optional<ProcessHandle> parent, ProcessBuilder.Redirect output)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString()); // the same process, in a session of its own
        }
        directory.namespaces().ifPresent(network -> command.addAll(network.prefix(node)));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Rcc.class.getName(), "server"));
        command.addAll(List.of("--config", directory.config(node).toString()));
        parent.ifPresent(process -> command.addAll(List.of("--parent", Long.toString(process.pid()))));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        directory.started(node, process.toHandle());
        return process;
    }

    /** Waits until all nodes run transactions; false when a node has ended, the start takes too long, or this process is asked to end. */
    private boolean awaitRunning(Duration start) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + start.toNanos();
        List<String> before = List.of();
        while (!endAsked.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            int failed = firstEnded();
            if (failed >= 0) {
                say("node %d did not start, exit code %d; %s"
                        .formatted(failed, processes.get(failed).exitValue(), endOfLog(failed)));
                return false;
            }
            List<ClusterDirectory.NodeStatus> statuses = directory.nodes();
            List<String> states =
                    statuses.stream().map(ClusterDirectory.NodeStatus::state).toList();
            if (!states.equals(before)) {
                out.println("nodes: " + String.join(", ", states));
                out.flush();
                before = states;
            }
            List<ClusterDirectory.NodeStatus> late =
                    statuses.stream().filter(node -> !node.takesTransactions()).toList();
            if (late.isEmpty()) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                for (ClusterDirectory.NodeStatus node : late) {
                    say("node %d did not come up in %d s, it is %s; %s"
                            .formatted(node.id(), start.toSeconds(), node.state(), endOfLog(node.id())));
                }
                return false;
            }
        }
        return false;
    }

    private int firstEnded() {
        for (int node = 0; node < processes.size(); node++) {
            if (!processes.get(node).isAlive()) {
                return node;
            }
        }
        return -1;
    }

    private String endOfLog(int node) throws IOException {
        return "the end of " + directory.log(node) + ":\n" + String.join("\n", directory.endOfLog(node));
    }

    /** Reports nodes that end by themselves, until this process is asked to end. Reports none while a fault drill kills and restarts nodes. */
    private int watch() throws InterruptedException {
        boolean[] gone = new boolean[nodes];
        int result = Rcc.OK;
        while (!endAsked.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            int count = 0;
            for (int node = 0; node < nodes; node++) {
                if (processes.get(node).isAlive()
                        || successor(node).isPresent()
                        || directory.harming().isPresent()) {
                    gone[node] = false;
                } else {
                    count++;
                    if (!gone[node]) {
                        gone[node] = true;
                        result = Rcc.FAILED;
                        out.format(
                                Locale.ROOT,
                                "node %d has ended, exit code %d; see %s%n",
                                node,
                                processes.get(node).exitValue(),
                                directory.log(node));
                        out.flush();
                    }
                }
            }
            if (count == nodes) {
                return Rcc.FAILED;
            }
        }
        return result;
    }

    /** The process that another command started for a node, in place of the process that this command started. */
    private Optional<ProcessHandle> successor(int node) {
        return directory
                .process(node)
                .filter(process -> process.pid() != processes.get(node).pid());
    }

    private void stop() throws IOException, InterruptedException {
        List<ProcessHandle> all = new ArrayList<>();
        for (int node = 0; node < processes.size(); node++) {
            all.add(processes.get(node).toHandle());
            successor(node).ifPresent(all::add);
        }
        end(all);
        end(directory);
        say("The cluster has ended.");
    }

    /** Ends a cluster, with the nodes that other commands start meanwhile. */
    static void end(ClusterDirectory directory) throws IOException, InterruptedException {
        List<ProcessHandle> alive = directory.endUnlessAlive();
        while (!alive.isEmpty()) {
            end(alive);
            alive = directory.endUnlessAlive();
        }
    }

    /** Lets nodes drain, and kills those that do not end. */
    private static void end(List<ProcessHandle> nodes) throws IOException, InterruptedException {
        for (ProcessHandle node : nodes) {
            OsProcess.terminate(node);
        }
        OsProcess.awaitEnd(nodes, System.nanoTime() + STOP.toNanos()).forEach(OsProcess::kill);
    }
}
