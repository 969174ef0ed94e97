package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Explains to users why a node of a cluster on this machine does not answer. Says no more than is known. */
final class NodeDiagnosis implements BenchNetwork.Processes.Diagnosis {
    /** The system closes the connections of a process that dies before the process counts as dead. */
    private static final Duration DEATH = Duration.ofSeconds(3);

    /** A line by which the process, not its log, reports to operators. */
    private static final Pattern WORDS =
            Pattern.compile("node \\d+: .*|# (?:There is insufficient memory|A fatal error).*");
    /** Such a line of a process that ends. */
    private static final Pattern LAST_WORDS = Pattern.compile("node \\d+: (?:cannot|draining|ended).*|#.*");

    private final ClusterDirectory directory;

    NodeDiagnosis(ClusterDirectory directory) {
        this.directory = directory;
    }

    @Override
    public String of(int node) {
        try {
            List<ProcessHandle> _ =
                    OsProcess.awaitEnd(directory.process(node).stream().toList(), System.nanoTime() + DEATH.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return of(directory.status(node));
    }

    /** The same of a node with a known status. */
    String of(ClusterDirectory.NodeStatus node) {
        if (node.pid() < 0 && !node.isGone()) {
            return "node " + node.id() + " has not started yet";
        }
        String process = node.pid() < 0 ? "its process" : "its process " + node.pid();
        if (!node.isGone() && OsProcess.isStopped(node.pid())) {
            return "node " + node.id() + " does not answer: " + process + " is stopped; 'kill -CONT " + node.pid()
                    + "' lets it run again";
        }
        if (!node.isGone()) {
            return "node " + node.id() + " does not answer, or has closed the connection, although " + process
                    + " still runs; its log is " + directory.log(node.id());
        }
        return "node " + node.id() + " has ended: " + end(node, process) + ". 'rcc cluster restart " + node.id()
                + " --dir " + directory.path() + "' starts it again";
    }

    private String end(ClusterDirectory.NodeStatus node, String process) {
        if (KernelLog.hasKilledForMemory(node.pid())) {
            return "the kernel killed " + process + " because memory ran out; its log is " + directory.log(node.id());
        }
        String gone = process + " is gone; its log " + directory.log(node.id());
        try {
            List<String> words = directory.endOfLog(node.id()).stream()
                    .filter(line -> WORDS.matcher(line).matches())
                    .toList();
            return gone
                    + (!words.isEmpty() && LAST_WORDS.matcher(words.getLast()).matches()
                            ? " ends with '" + words.getLast() + "'"
                            : " does not say why, as if it was killed");
        } catch (IOException e) {
            return gone + " cannot be read";
        }
    }
}
