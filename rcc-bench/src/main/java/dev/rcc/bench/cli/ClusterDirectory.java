package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.server.process.FabricOptions;
import dev.rcc.server.process.LinkDelays;
import dev.rcc.server.process.ServerOptions;
import dev.rcc.server.process.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The directory of a cluster on this machine.
 *
 * <pre>
 *  cluster.json   the process that started the cluster and ends it: its id and start time, unless the cluster runs on its own;
 *                 the number of nodes, and the number and mark of their namespaces' network
 *  faults.json    the process that kills nodes and starts them again, while there is one
 *  benchmark.json the process that runs benchmarks on the cluster
 *  lock           locked by a command while it changes what these files record
 *  secret         the secret that the nodes prove to each other; only its owner can read it
 *  nodeN.yaml     the configuration of a node
 *  nodeN.pid      the process id of a node, written by the command that started it
 *  nodeN.start    the start of that process
 *  nodeN.json     where to find a node, written by its process: process id and admin address
 *  nodeN-data     the data of a node
 *  nodeN.log      the output of its process
 * </pre>
 */
final class ClusterDirectory {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LOG_LINES = 20;
    private static final String NAMESPACES = "namespaces";
    private static final String NAMESPACES_MARK = "namespaces_mark";

    /** The state of a node that takes transactions. */
    static final String RUNNING = "running";
    /** The state of a node whose process has ended. */
    private static final String GONE = "gone";
    /** The state of a node that runs while transactions wait: it has no place in a configuration of a majority, not yet or no longer. */
    private static final String WAITING = "waiting";

    private final Path path;

    ClusterDirectory(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** The status that a node's process reports, or the state that is known without it. */
    record NodeStatus(int id, long pid, String admin, String state, Optional<JsonNode> page) {
        /** The address where clients connect, while the node lets them in. */
        Optional<String> client() {
            return page.filter(json -> json.hasNonNull("client"))
                    .map(json -> json.get("client").asString());
        }

        /** The node's data centre, while the node reports it. */
        Optional<String> datacenter() {
            return page.filter(json -> json.hasNonNull("datacenter"))
                    .map(json -> json.get("datacenter").asString());
        }

        /** Whether the node's process has ended. */
        boolean isGone() {
            return state.equals(GONE);
        }

        /** Whether the node runs and lets clients in. */
        boolean letsClientsIn() {
            return (state.equals(RUNNING) || state.equals(WAITING)) && client().isPresent();
        }

        /** Whether the node also takes transactions: it has a place among the nodes. */
        boolean takesTransactions() {
            return state.equals(RUNNING) && client().isPresent();
        }
    }

    Path path() {
        return path;
    }

    /** The cluster's secret. */
    Path secret() {
        return path.resolve("secret");
    }

    Path config(int node) {
        return path.resolve("node" + node + ".yaml");
    }

    Path state(int node) {
        return path.resolve("node" + node + ".json");
    }

    /** The data directory of a node. */
    Path data(int node) {
        return path.resolve("node" + node + "-data");
    }

    Path log(int node) {
        return path.resolve("node" + node + ".log");
    }

    /** The last lines of a node's log. */
    List<String> endOfLog(int node) throws IOException {
        List<String> lines = Files.readAllLines(log(node));
        return lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
    }

    private Path pidFile(int node) {
        return path.resolve("node" + node + ".pid");
    }

    private Path startFile(int node) {
        return path.resolve("node" + node + ".start");
    }

    private Path cluster() {
        return path.resolve("cluster.json");
    }

    /** Records that this process starts a cluster here. */
    void begin(int nodes, Optional<Namespaces> namespaces) throws IOException {
        for (int node = 0; node < nodes; node++) {
            forget(node);
        }
        ObjectNode json = thisProcess();
        json.put("nodes", nodes);
        namespaces.ifPresent(network -> json.put(NAMESPACES, network.number()).put(NAMESPACES_MARK, network.mark()));
        write(cluster(), json);
    }

    /** Records that the cluster goes on without the process that started it. */
    void detach() throws IOException {
        ObjectNode json = (ObjectNode) read(cluster()).orElseThrow();
        json.remove(List.of("pid", "since"));
        write(cluster(), json);
    }

    /** Whether a cluster was brought up here and has not been ended. The process that started it still watches it, or left it running. */
    boolean isUp() {
        return starter().isPresent()
                || read(cluster()).filter(json -> !json.has("pid")).isPresent();
    }

    /** Forgets the processes that a node has had. */
    void forget(int node) throws IOException {
        Files.deleteIfExists(state(node));
        Files.deleteIfExists(pidFile(node));
        Files.deleteIfExists(startFile(node));
    }

    /** Records the process that was started for a node. */
    void started(int node, ProcessHandle process) throws IOException {
        WholeFile.write(startFile(node), OsProcess.start(process) + "\n");
        WholeFile.write(pidFile(node), process.pid() + "\n");
    }

    /**
     * Records that this process kills nodes of the cluster, and starts them again.
     *
     * @param option the option that names the directory
     * @throws IllegalArgumentException when another process runs a fault drill or benchmarks on the cluster
     */
    void beginFaults(OptionValues values, Option option) throws IOException {
        beginUse(faults(), values, option);
    }

    /** Records that this process kills no more nodes. */
    void endFaults() throws IOException {
        Files.deleteIfExists(faults());
    }

    /** The process that kills nodes of the cluster, and starts them again, if there is one. */
    Optional<ProcessHandle> harming() {
        return living(faults());
    }

    private Path faults() {
        return path.resolve("faults.json");
    }

    /** Records that this process uses the cluster, as long as it lives, in the file for its kind of use. */
    private void beginUse(Path note, OptionValues values, Option option) throws IOException {
        try (FileChannel _ = lock()) {
            refuseOtherUse(values, option);
            write(note, thisProcess());
        }
    }

    /**
     * Checks that no other process uses the cluster.
     *
     * @param option the option that names the directory
     * @throws IllegalArgumentException when another process runs a fault drill or benchmarks on the cluster
     */
    void refuseOtherUse(OptionValues values, Option option) {
        Optional<String> use = other(faults())
                .map(process -> "process " + process.pid() + " runs a fault drill there")
                .or(() -> other(benchmark()).map(process -> "process " + process.pid() + " runs a benchmark there"));
        if (use.isPresent()) {
            throw values.refuse(option, "a cluster that no other command breaks or measures; " + use.get());
        }
    }

    private static Optional<ProcessHandle> other(Path note) {
        return living(note).filter(process -> !process.equals(ProcessHandle.current()));
    }

    /** Keeps other commands from changing what is recorded here, until it is closed; waits for a command that does so. */
    FileChannel lock() throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock _ = channel.lock();
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private Path benchmark() {
        return path.resolve("benchmark.json");
    }

    /** This process by its id and start time, as {@link #living} reads it. */
    private static ObjectNode thisProcess() {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("pid", ProcessHandle.current().pid());
        json.put("since", OsProcess.start(ProcessHandle.current()));
        return json;
    }

    /**
     * Records that the cluster has ended, unless one of its nodes' processes lives.
     *
     * @return the processes that live
     */
    List<ProcessHandle> endUnlessAlive() throws IOException, InterruptedException {
        try (FileChannel _ = lock()) {
            List<ProcessHandle> alive = processes();
            if (alive.isEmpty()) {
                end();
            }
            return alive;
        }
    }

    /** Records that the cluster has ended, and removes the shared memory and the network that its nodes may have left. */
    void end() throws IOException, InterruptedException {
        removeLeft();
        for (int node = 0; node < count(); node++) {
            forget(node);
        }
        Files.deleteIfExists(cluster());
    }

    /** Removes the shared memory that killed nodes left, but none that a running node uses, and the nodes' network. */
    void removeLeft() throws IOException, InterruptedException {
        Optional<Namespaces> network = namespaces();
        if (network.isPresent()) {
            network.get().remove();
        }
        for (int node = 0; Files.exists(config(node)); node++) {
            FabricOptions.removeLeft(YamlFile.read(config(node)));
        }
    }

    /** The network that the cluster has to itself; empty if it has none. */
    Optional<Namespaces> namespaces() {
        return read(cluster())
                .filter(json -> json.has(NAMESPACES_MARK))
                .map(json -> new Namespaces(
                        json.required(NAMESPACES).asInt(),
                        json.required("nodes").asInt(),
                        json.required(NAMESPACES_MARK).asString()));
    }

    /** A node's process, if it lives; it may not have written its addresses yet. */
    Optional<ProcessHandle> process(int node) {
        Optional<Long> pid = read(state(node)).map(json -> json.required("pid").asLong());
        return pid.isEmpty() || pid.equals(startedId(node))
                ? started(node)
                : OsProcess.namedBy(state(node), pid.get()).or(() -> started(node));
    }

    private Optional<ProcessHandle> started(int node) {
        return startedId(node)
                .flatMap(pid -> text(startFile(node))
                        .map(start -> OsProcess.of(pid, start.strip()))
                        .orElseGet(() -> OsProcess.namedBy(pidFile(node), pid)));
    }

    /** The id of the process that was started for a node, whether or not it still lives. */
    private Optional<Long> startedId(int node) {
        try {
            return text(pidFile(node)).map(text -> Long.valueOf(text.strip()));
        } catch (NumberFormatException e) {
            throw damaged(pidFile(node), "got no process id");
        }
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All node processes of the cluster that was started here last; empty if that cluster ended in order. */
    List<ProcessHandle> processes() {
        return IntStream.range(0, count())
                .mapToObj(this::process)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The admin address of a node's process. */
    URI admin(int node) {
        return URI.create(read(state(node)).orElseThrow().required("admin").asString());
    }

    /** The process that started the cluster, if it still runs. */
    Optional<ProcessHandle> starter() {
        return living(cluster());
    }

    /** The process that a file names by its id and start time, if it still runs. */
    private static Optional<ProcessHandle> living(Path file) {
        return read(file)
                .filter(json -> json.has("pid"))
                .flatMap(json -> OsProcess.of(
                        json.required("pid").asLong(), json.required("since").asString()));
    }

    /** The nodes of the cluster that was started here last; empty if that cluster ended in order, or none was ever started. */
    List<NodeStatus> nodes() {
        List<NodeStatus> nodes = new ArrayList<>();
        for (int node = 0; node < count(); node++) {
            nodes.add(status(node));
        }
        return nodes;
    }

    /** Whether most of the cluster's nodes answer: with fewer, no node has a place. */
    boolean mostAnswer() {
        List<NodeStatus> nodes = nodes();
        return 2 * nodes.stream().filter(node -> node.page().isPresent()).count() > nodes.size();
    }

    private int count() {
        return read(cluster()).map(json -> json.required("nodes").asInt()).orElse(0);
    }

    /** The status of a node of the cluster that was started here. */
    NodeStatus status(int node) {
        Optional<JsonNode> state = read(state(node));
        if (state.isEmpty()) {
            long started = started(node).map(ProcessHandle::pid).orElse(-1L);
            boolean isGone = started == -1 && Files.exists(pidFile(node));
            return new NodeStatus(node, started, "", isGone ? GONE : "starting", Optional.empty());
        }
        long pid = state.get().required("pid").asLong();
        String admin = state.get().required("admin").asString();
        if (process(node).filter(process -> process.pid() == pid).isEmpty()) {
            return new NodeStatus(node, pid, admin, GONE, Optional.empty());
        }
        return get(URI.create(admin + "/status"))
                .map(page -> new NodeStatus(node, pid, admin, stateIn(page), Optional.of(page)))
                .orElseGet(() -> new NodeStatus(node, pid, admin, "silent", Optional.empty()));
    }

    /** The state of a node according to its page {@code /status}. */
    static String stateIn(JsonNode page) {
        if (page.required("benchmark").asBoolean()) {
            return "benchmark";
        }
        String state = page.required("state").asString();
        boolean hasPlace = page.path("serving").asBoolean(true); // absent where dead nodes are not replaced
        return state.equals(RUNNING) && !hasPlace ? WAITING : state;
    }

    private static Optional<JsonNode> get(URI uri) {
        try {
            var response = Http.CLIENT.send(
                    HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), BodyHandlers.ofString());
            return response.statusCode() == HttpURLConnection.HTTP_OK
                    ? Optional.of(MAPPER.readTree(response.body()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Created when the first node has an address, and kept as long as the process runs: creating a client takes longer than a request. */
    private static final class Http {
        static final HttpClient CLIENT =
                HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    }

    private static void write(Path file, ObjectNode json) throws IOException {
        WholeFile.write(file, MAPPER.writeValueAsString(json));
    }

    private static Optional<JsonNode> read(Path file) {
        return text(file).map(text -> json(file, text));
    }

    private static JsonNode json(Path file, String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (!json.isObject()) {
                throw damaged(file, "got no JSON object");
            }
            return json;
        } catch (JacksonException e) {
            throw damaged(file, "got no JSON object");
        }
    }

    /** The refusal of a file that is not as it was written: it is always written whole. */
    private static IllegalArgumentException damaged(Path file, String what) {
        return new IllegalArgumentException(file + ": " + what
                + ", allowed: the whole file, which a power loss may have cut; when no process of the cluster runs, delete it, and start"
                + " the cluster again with 'rcc cluster up'");
    }

    /**
     * Checks that the files that name processes are whole.
     *
     * @throws IllegalArgumentException when one is not; names it
     */
    void checkIsWhole() {
        List.of(faults(), benchmark()).forEach(ClusterDirectory::read);
        for (int node = 0; node < count(); node++) {
            Optional<JsonNode> _ = read(state(node));
            Optional<ProcessHandle> _ = started(node);
        }
    }

    /**
     * The nodes of a running cluster, for benchmarks of this process: no other process may run a benchmark or a fault drill there while this process
     * lives.
     *
     * @param option the option that names the directory
     * @throws IllegalArgumentException when no cluster runs there, some node does not answer, or another process runs a fault drill or benchmarks on
     *     it
     */
    static BenchNetwork.Processes running(OptionValues values, Option option) {
        ClusterDirectory directory;
        List<NodeStatus> nodes;
        try {
            directory = new ClusterDirectory(Path.of(values.text(option)));
            nodes = directory.nodes();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
        directory.refuseOtherUse(values, option);
        NodeDiagnosis diagnosis = new NodeDiagnosis(directory);
        List<NodeStatus> silent =
                nodes.stream().filter(node -> node.page().isEmpty()).toList();
        if (nodes.isEmpty() || (!directory.isUp() && silent.size() == nodes.size())) {
            throw values.refuse(option, option.allowed() + "; no cluster runs there");
        }
        if (!silent.isEmpty()) {
            throw values.refuse(
                    option,
                    "a cluster whose nodes run; "
                            + silent.stream().map(diagnosis::of).collect(Collectors.joining(". ")));
        }
        JsonNode page = nodes.getFirst().page().orElseThrow();
        if (!page.has("fabric")) {
            throw values.refuse(option, "a cluster whose nodes run; they are still returning from a benchmark");
        }
        try {
            directory.beginUse(directory.benchmark(), values, option);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> config = YamlFile.read(directory.config(0));
        return new BenchNetwork.Processes(
                page.required("fabric").asString(),
                Atomicity.valueOf(page.required("atomicity").asString().toUpperCase(Locale.ROOT)),
                nodes.stream().map(node -> URI.create(node.admin())).toList(),
                zones(page),
                config.getOrDefault(ServerOptions.REPLICATION.key(), ServerOptions.REPLICATION.defaultValue()),
                settings(config),
                diagnosis);
    }

    /** The settings that tell a cluster's runs from another's, in a node's configuration. */
    private static Map<String, String> settings(Map<String, String> config) {
        Map<String, String> settings = FabricOptions.chosen(config);
        for (Option each : List.of(LinkDelays.DELAY, ServerOptions.DURABILITY)) {
            String value = config.getOrDefault(each.key(), each.defaultValue());
            if (!value.equals(each.defaultValue())) {
                settings.put(each.key(), value);
            }
        }
        return settings;
    }

    private static Zones zones(JsonNode page) {
        List<String> names = new ArrayList<>();
        page.required("members")
                .forEach(member -> names.add(member.required("datacenter").asString()));
        return Zones.of(names);
    }
}
