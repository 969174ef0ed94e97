package dev.rcc.it;

import dev.rcc.bench.cli.FreePorts;
import dev.rcc.transport.handshake.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The server processes of a cluster on TCP, at ports that the test knows, with a secret that it could know. */
final class ServerProcesses implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern CLIENTS = Pattern.compile("clients at (\\S+)");
    /** Long enough that no node counts as dead because the machine is busy. */
    private static final int FAILURE_MILLIS = 6_000;

    private final Path directory;
    private final List<String> jvmOptions;
    /** The ports of the control channels, and then those of the data. */
    private final List<Integer> ports;

    private final List<RccProcess> servers = new ArrayList<>();

    private ServerProcesses(Path directory, List<String> jvmOptions, List<Integer> ports) {
        this.directory = directory;
        this.jvmOptions = jvmOptions;
        this.ports = ports;
    }

    /**
     * Starts all nodes, and waits until they run.
     *
     * @param directory for the nodes' files; their configurations are {@code node0.yaml} and so on
     * @param jvmOptions of each process, beside those that they have anyway
     * @param configuration lines of YAML that all nodes have, beside the options that connect them
     */
    static ServerProcesses start(
            Path directory, String cluster, int nodes, List<String> jvmOptions, String... configuration)
            throws IOException, InterruptedException {
        SecretFile.createIfAbsent(directory.resolve("secret"));
        ServerProcesses all = new ServerProcesses(directory, jvmOptions, FreePorts.draw(2 * nodes));
        String peers = Loopback.peers(all.ports.subList(0, nodes));
        try {
            for (int node = 0; node < nodes; node++) {
                List<String> lines = new ArrayList<>(List.of(
                        "cluster: " + cluster,
                        "node: " + node,
                        "peers: [" + peers + "]",
                        "tcp: {port: " + all.ports.get(nodes + node) + "}",
                        "data-dir: " + directory.resolve("data" + node),
                        "secret-file: " + directory.resolve("secret"),
                        "failure-ms: " + FAILURE_MILLIS));
                lines.addAll(List.of(configuration));
                Files.write(directory.resolve("node" + node + ".yaml"), lines);
                all.servers.add(all.launch(node));
            }
            for (int node = 0; node < nodes; node++) {
                all.awaitRunning(node);
            }
            return all;
        } catch (IOException | InterruptedException | AssertionError e) {
            all.close();
            throw e;
        }
    }

    private RccProcess launch(int node) throws IOException {
        return RccProcess.start(
                directory,
                jvmOptions,
                List.of("server", "--config", "node" + node + ".yaml", "--state", "node" + node + ".json"));
    }

    int count() {
        return servers.size();
    }

    int controlPort(int node) {
        return ports.get(node);
    }

    int dataPort(int node) {
        return ports.get(servers.size() + node);
    }

    /** Where a node's clients connect, {@code host:port}. */
    String gateway(int node) {
        Matcher clients = CLIENTS.matcher(servers.get(node).out());
        if (!clients.find()) {
            throw new AssertionError(servers.get(node) + " serves no clients");
        }
        return clients.group(1);
    }

    /** The contents of a node's state file: its addresses. */
    JsonNode state(int node) throws IOException {
        return MAPPER.readTree(Files.readString(directory.resolve("node" + node + ".json")));
    }

    /** The whole output of a node's process. */
    String log(int node) {
        return servers.get(node).out() + servers.get(node).err();
    }

    Process process(int node) {
        return servers.get(node).process();
    }

    /** Kills a node's process, and waits for its end. */
    void kill(int node) throws InterruptedException {
        process(node).destroyForcibly().waitFor();
    }

    /** Starts another process for a node whose process is dead. */
    void start(int node) throws IOException {
        servers.set(node, launch(node));
    }

    void awaitRunning(int node) throws InterruptedException {
        servers.get(node).awaitOut("running: ");
    }

    @Override
    public void close() {
        servers.forEach(RccProcess::close);
    }
}
