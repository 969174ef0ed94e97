package dev.rcc.bench.cli;

import dev.rcc.bench.agent.FaultRun;
import dev.rcc.bench.faults.ClusterNodes;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** The processes of a cluster's nodes on this machine: kills, stops and starts them. */
final class NodeProcesses implements FaultRun.Processes, ClusterNodes {
    private static final Duration START = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 20;

    private final ClusterDirectory directory;
    private final List<URI> admins;
    /** The processes launched here, by node. They count at once, even before they have written their addresses. */
    private final Map<Integer, ProcessHandle> launched = new HashMap<>();

    NodeProcesses(ClusterDirectory directory, List<URI> admins) {
        this.directory = directory;
        this.admins = admins;
    }

    @Override
    public List<URI> admins() {
        return admins;
    }

    private ProcessHandle process(int node) {
        ProcessHandle process = launched.get(node);
        return process != null
                ? process
                : directory
                        .process(node)
                        .orElseThrow(() -> new IllegalStateException("node " + node + " has no process any more"));
    }

    @Override
    public void kill(int node) {
        OsProcess.kill(process(node));
    }

    @Override
    public void terminate(int node) throws IOException, InterruptedException {
        OsProcess.terminate(process(node));
    }

    @Override
    public boolean isAlive(int node) {
        ProcessHandle process = launched.get(node);
        return process == null ? directory.process(node).isPresent() : OsProcess.isAlive(process);
    }

    @Override
    public void launch(int node) throws IOException {
        try (FileChannel _ = directory.lock()) { // or a cluster that ends right now would leave this process
            if (!directory.isUp()) {
                throw new IllegalStateException(
                        "no cluster runs in " + directory.path() + " any more: node " + node + " is not started");
            }
            Optional<ProcessHandle> present = directory.process(node);
            if (present.isPresent()) { // to forget it would leave it running when the cluster ends
                throw new IllegalStateException("node " + node
                        + " is not started: another command has started it, as process "
                        + present.get().pid());
            }
            directory.forget(node);
            Process process = ClusterProcesses.start(
                    directory,
                    node,
                    directory.starter(),
                    ProcessBuilder.Redirect.appendTo(directory.log(node).toFile()));
            launched.put(node, process.toHandle());
        }
    }

    @Override
    public boolean canBeAsked(int node) {
        return Files.exists(directory.state(node));
    }

    @Override
    public URI start(int node) throws IOException, InterruptedException {
        launch(node);
        long deadline = System.nanoTime() + START.toNanos();
        while (!canBeAsked(node)) {
            if (!isAlive(node) || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("node " + node + " did not start; see " + directory.log(node));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return directory.admin(node);
    }

    @Override
    public void stop(int node) throws IOException, InterruptedException {
        OsProcess.stop(process(node));
    }

    @Override
    public boolean goOn(int node) throws IOException, InterruptedException {
        boolean isAlive = isAlive(node);
        if (isAlive) {
            OsProcess.goOn(process(node));
        }
        return isAlive;
    }

    @Override
    public boolean plug(int node, boolean in) throws IOException, InterruptedException {
        Optional<Namespaces> network = directory.namespaces();
        if (network.isPresent()) {
            network.get().plug(node, in);
        }
        return network.isPresent();
    }

    @Override
    public Optional<JsonNode> status(int node) {
        return isAlive(node) ? directory.status(node).page() : Optional.empty();
    }

    @Override
    public Path data(int node) {
        return directory.data(node);
    }

    @Override
    public Path log(int node) {
        return directory.log(node);
    }
}
