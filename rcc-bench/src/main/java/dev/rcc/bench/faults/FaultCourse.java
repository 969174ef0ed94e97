package dev.rcc.bench.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Injects the faults of a schedule into a cluster, one after the other, while clients load it. After each fault it waits until the cluster is
 * whole again, and a client has received an acknowledgement. Used once, by one thread.
 */
final class FaultCourse {
    private static final long LOOK_MILLIS = 50;
    private static final int LOG_LINES = 8;
    /** The most restarts of a process that ends by itself after one fault; a supervisor would restart it, too. */
    private static final int RESTARTS_MAX = 5;

    private static final int ERRORS_SHOWN = 3;

    private final Terms terms;
    private final ClusterShape shape;
    private final ClusterNodes nodes;
    private final Consumer<String> progress;
    private final FaultLoad load;
    private final List<String> violations = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<RandomFaults.Outage> outages = new ArrayList<>();
    private final long[] logLengths;
    private final List<Long> startOfLogs;
    private final int[] restarts;
    private final CountDownLatch endAsked = new CountDownLatch(1);
    private String whyNoFurther = "";

    /**
     * The terms of a course.
     *
     * @param patienceSeconds how long the cluster may take to be whole again
     * @param mayEndNodes whether nodes kill the nodes that they go on without
     */
    record Terms(int patienceSeconds, boolean mayEndNodes) {}

    /** The cluster does not come back. */
    private static final class Stuck extends Exception {
        private static final long serialVersionUID = 1L;

        Stuck(String message) {
            super(message);
        }
    }

    FaultCourse(Terms terms, ClusterShape shape, ClusterNodes nodes, FaultLoad load, Consumer<String> progress) {
        this.terms = terms;
        this.shape = shape;
        this.nodes = nodes;
        this.load = load;
        this.progress = progress;
        this.logLengths = new long[shape.nodes()];
        this.restarts = new int[shape.nodes()];
        this.startOfLogs = lengths();
    }

    /** The violations, each a sentence. */
    List<String> violations() {
        return violations;
    }

    /** Remarks that are no violations. */
    List<String> remarks() {
        return remarks;
    }

    /** The outages of the faults that were injected. */
    List<RandomFaults.Outage> outages() {
        return List.copyOf(outages);
    }

    /** The reason why no further fault was injected; empty if all were. */
    String whyNoFurther() {
        return whyNoFurther;
    }

    /** Lets no further fault begin. On any thread. */
    void endEarly() {
        endAsked.countDown();
    }

    /** Injects all faults, or records why it stops early. */
    void harmAll(List<PlannedFault> schedule) throws InterruptedException, IOException {
        try {
            awaitWhole("the start");
            load.fill(patienceNanos());
            load.start();
            for (PlannedFault fault : schedule) {
                if (endAsked.await(fault.calmMillis(), TimeUnit.MILLISECONDS)) {
                    whyNoFurther = "it was asked to end";
                    return;
                }
                harm(fault);
            }
        } catch (Stuck e) {
            goNoFurther("STUCK", e.getMessage());
        } catch (IOException | RuntimeException e) { // the work done so far is checked all the same
            goNoFurther("NOT DONE", "after " + outages.size() + " faults: " + e);
        }
    }

    private void goNoFurther(String what, String why) throws IOException {
        whyNoFurther = why;
        violations.add(what + ": " + why);
        violations.addAll(evidence());
    }

    // ---- faults ----------------------------------------------------------------------------------------------------

    private void harm(PlannedFault fault) throws InterruptedException, IOException, Stuck {
        rememberLogs();
        Arrays.fill(restarts, 0);
        progress.accept(fault.number() + ": " + fault.describe());
        long begin = System.nanoTime();
        switch (fault.kind()) {
            case KILL, KILL_AGAIN, KILL_OTHER -> nodes.kill(fault.node());
            case TERM -> terminate(fault.node());
            case STOP -> nodes.stop(fault.node());
            case KILL_TWO -> {
                nodes.kill(fault.node());
                TimeUnit.MILLISECONDS.sleep(fault.betweenMillis());
                nodes.kill(fault.other());
            }
            case KILL_ALL, CUT_LOG -> killAll();
        }
        TimeUnit.MILLISECONDS.sleep(fault.downMillis());
        long back = System.nanoTime();
        comeBack(fault);
        awaitWhole("fault " + fault.number());
        awaitCommit(fault);
        long whole = System.nanoTime();
        Acknowledgements seen = load.acknowledgements();
        RandomFaults.Outage outage = new RandomFaults.Outage(
                fault, seen.longestGap(begin, back, whole), seen.longestGap(back, whole, whole), whole - back);
        outages.add(outage);
        progress.accept("   longest gap between acknowledged commits %d ms, %d ms while coming back; whole after %d ms"
                .formatted(
                        TimeUnit.NANOSECONDS.toMillis(outage.gapNanos()),
                        TimeUnit.NANOSECONDS.toMillis(outage.returnGapNanos()),
                        TimeUnit.NANOSECONDS.toMillis(outage.returnNanos())));
    }

    private void killAll() {
        IntStream.range(0, shape.nodes()).parallel().forEach(nodes::kill);
    }

    private void launchAll() throws IOException {
        for (int node = 0; node < shape.nodes(); node++) {
            nodes.launch(node);
        }
    }

    private void terminate(int node) throws InterruptedException, IOException, Stuck {
        nodes.terminate(node);
        long deadline = deadline();
        while (nodes.isAlive(node)) {
            if (System.nanoTime() - deadline > 0) {
                throw new Stuck("node " + node + " has not ended " + terms.patienceSeconds() + " s after SIGTERM");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private void comeBack(PlannedFault fault) throws InterruptedException, IOException, Stuck {
        switch (fault.kind()) {
            case KILL, TERM -> nodes.launch(fault.node());
            case STOP -> {
                if (!nodes.goOn(fault.node())) {
                    nodes.launch(fault.node());
                }
            }
            case KILL_AGAIN, KILL_OTHER -> {
                nodes.launch(fault.node());
                awaitProcess(fault.node());
                TimeUnit.MILLISECONDS.sleep(fault.betweenMillis());
                nodes.kill(fault.other());
                nodes.launch(fault.other());
            }
            case KILL_TWO -> {
                nodes.launch(fault.node());
                nodes.launch(fault.other());
            }
            case KILL_ALL -> launchAll();
            case CUT_LOG -> comeBackWithShortLog(fault);
        }
    }

    /** The cluster fetches the lost part of its log from other nodes, or refuses to start and names the file: then the file is put back. */
    private void comeBackWithShortLog(PlannedFault fault) throws InterruptedException, IOException, Stuck {
        ShortenedLog log = ShortenedLog.cut(nodes.data(fault.node()), fault.lostPermille());
        if (log.isWhole()) {
            remarks.add("fault " + fault.number() + ": " + log.name() + " had only its header, so nothing was cut off");
        }
        launchAll();
        if (!isRefused(log)) {
            return;
        }
        remarks.add("fault " + fault.number() + ": nodes refused to start, and named " + log.name()
                + ", which had lost its end; it was put back");
        killAll();
        log.putBack();
        launchAll();
    }

    /** Waits until the cluster is whole, or a node has ended; true if its log names this file. Any other cause is reported later. */
    private boolean isRefused(ShortenedLog log) throws InterruptedException, IOException {
        long deadline = deadline();
        while (!isWhole() && System.nanoTime() - deadline < 0) {
            for (int node = 0; node < shape.nodes(); node++) {
                if (!nodes.isAlive(node)) {
                    return linesFrom(nodes.log(node), logLengths[node]).stream()
                            .anyMatch(line -> line.contains(log.name()));
                }
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return false;
    }

    // ---- waiting ---------------------------------------------------------------------------------------------------

    long patienceNanos() {
        return TimeUnit.SECONDS.toNanos(terms.patienceSeconds());
    }

    private long deadline() {
        return System.nanoTime() + patienceNanos();
    }

    private void awaitProcess(int node) throws InterruptedException, Stuck {
        long deadline = deadline();
        while (!nodes.canBeAsked(node)) {
            if (!nodes.isAlive(node) || System.nanoTime() - deadline > 0) {
                throw new Stuck("node " + node + " did not start");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Waits until all nodes serve, are members, and reach each other. */
    private void awaitWhole(String after) throws InterruptedException, IOException, Stuck {
        long deadline = deadline();
        while (!isWhole()) {
            for (int node = 0; node < shape.nodes(); node++) {
                if (!nodes.isAlive(node)) {
                    startAgain(node);
                }
            }
            if (System.nanoTime() - deadline > 0) {
                throw new Stuck("the cluster is not whole " + terms.patienceSeconds() + " s after " + after);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Restarts a node that ended by itself, as a supervisor does. */
    private void startAgain(int node) throws IOException, Stuck {
        String sentence = "node " + node + " has ended by itself";
        if (terms.mayEndNodes()) {
            remarks.add(sentence + ", as nodes kill those that they go on without, and was started again");
        } else if (restarts[node] == 0) {
            violations.add(sentence + "; see " + nodes.log(node));
        }
        if (restarts[node]++ == RESTARTS_MAX) {
            throw new Stuck(sentence + " " + restarts[node] + " times");
        }
        nodes.launch(node);
    }

    private boolean isWhole() {
        return IntStream.range(0, shape.nodes())
                .allMatch(
                        node -> nodes.status(node).filter(FaultCourse::isWhole).isPresent());
    }

    private static boolean isWhole(JsonNode status) {
        boolean isRunning = status.path("state").asString("").equals("running") && status.hasNonNull("client");
        boolean isServing = status.path("serving").asBoolean(true);
        boolean hasAll = true;
        for (JsonNode member : status.path("members")) {
            hasAll &= member.path("reachable").asBoolean()
                    && member.path("member").asBoolean(true);
        }
        return isRunning && isServing && hasAll;
    }

    private void awaitCommit(PlannedFault fault) throws InterruptedException, Stuck {
        long deadline = deadline();
        int before = load.acknowledgements().count();
        while (load.acknowledgements().count() == before) {
            if (System.nanoTime() - deadline > 0) {
                throw new Stuck("all nodes run after fault " + fault.number() + ", but nothing has committed for "
                        + terms.patienceSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    // ---- evidence --------------------------------------------------------------------------------------------------

    private List<Long> lengths() {
        return IntStream.range(0, shape.nodes())
                .mapToObj(node -> nodes.log(node).toFile().length())
                .toList();
    }

    private void rememberLogs() {
        List<Long> lengths = lengths();
        for (int node = 0; node < logLengths.length; node++) {
            logLengths[node] = lengths.get(node);
        }
    }

    /** The status that each node reports, and the end of its log since the last fault. */
    List<String> evidence() throws IOException {
        List<String> evidence = new ArrayList<>();
        for (int node = 0; node < shape.nodes(); node++) {
            Optional<JsonNode> status = nodes.status(node);
            evidence.add("  node " + node + ", " + (nodes.isAlive(node) ? "alive" : "dead") + ", /status: "
                    + status.map(FaultCourse::brief).orElse("no answer"));
            List<String> lines = linesFrom(nodes.log(node), logLengths[node]);
            evidence.add("    " + nodes.log(node) + ", since the last fault:");
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())
                    .forEach(line -> evidence.add("      " + line));
        }
        return evidence;
    }

    private static String brief(JsonNode status) {
        StringBuilder text = new StringBuilder(status.path("state").asString("?"));
        for (String key : List.of("epoch", "changing", "serving", "missing")) {
            if (status.has(key)) {
                text.append(", ").append(key).append(' ').append(status.get(key));
            }
        }
        for (JsonNode member : status.path("members")) {
            text.append(", node ").append(member.path("id"));
            text.append(member.path("member").asBoolean(true) ? " member" : " no member");
            text.append(member.path("reachable").asBoolean() ? "" : " unreachable");
        }
        return text.toString();
    }

    private static List<String> linesFrom(Path log, long from) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        byte[] all = Files.readAllBytes(log);
        int begin = (int) Math.min(from, all.length);
        return new String(all, begin, all.length - begin, StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** Records as remarks the errors that nodes have logged. */
    void remarkErrors() throws IOException {
        for (int node = 0; node < shape.nodes(); node++) {
            List<String> errors = linesFrom(nodes.log(node), startOfLogs.get(node)).stream()
                    .filter(line -> line.contains(" ERROR "))
                    .toList();
            if (!errors.isEmpty()) {
                remarks.add(errors.size() + " errors in " + nodes.log(node) + ", such as");
                errors.stream().limit(ERRORS_SHOWN).forEach(line -> remarks.add("  " + line));
            }
        }
    }
}
