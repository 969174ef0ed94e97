package dev.rcc.bench.agent;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.CpuTime;
import dev.rcc.bench.driver.ProcessorTime;
import dev.rcc.bench.history.History;
import dev.rcc.bench.workload.Account;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.admin.AdminServer.Answer;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.node.Measurements;
import dev.rcc.transport.control.LinkFaults;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs a node's share of benchmarks in the node's process, step by step as a driver requests. Meanwhile the serving node is
 * stopped; its data is gone afterwards, as it is only in memory. The node serves again when the driver gives the process back, or closes the
 * connection by which it leases it.
 */
public final class BenchAgent {
    /** The root of all paths. */
    static final String ROOT = "/bench/";

    private static final Logger LOG = LoggerFactory.getLogger(BenchAgent.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int CHUNK_BYTES = 1 << 16;
    private static final Pattern COPY = Pattern.compile("table=(\\d{1,9})&partition=(\\d{1,9})");

    private final NodeHost host;
    private final Optional<LinkFaults> links;
    private final Function<BenchRequest, BenchConfig> reader;
    private final Function<BenchConfig, NodeHost.Front> fronts;
    private BenchShare share;
    /** The lease of the driver that may use the process, or null. */
    private DriverLease lease;

    /**
     * An agent for a process.
     *
     * @param links changes the node's links, if they can be changed
     * @param reader turns a driver's request into a benchmark, or throws an {@link IllegalArgumentException}
     * @param fronts make the front that lets clients of the client library in, for benchmarks that these clients run
     */
    public BenchAgent(
            NodeHost host,
            Optional<LinkFaults> links,
            Function<BenchRequest, BenchConfig> reader,
            Function<BenchConfig, NodeHost.Front> fronts) {
        this.fronts = fronts;
        this.host = host;
        this.links = links;
        this.reader = reader;
    }

    /** A step that a driver requests. */
    private interface Step {
        void run(ObjectNode answer) throws Exception;
    }

    /** Adds the agent to a process's admin server. */
    public void addTo(AdminServer server) {
        server.post(ROOT + "borrow", question -> lend());
        server.post(ROOT + "prepare", question -> step(answer -> prepare(BenchRequest.parse(question.text()))));
        server.post(ROOT + "missing", question -> step(this::missing));
        server.post(ROOT + "start", question -> step(answer -> share().node().start()));
        server.post(ROOT + "run", question -> step(this::run));
        server.post(ROOT + "cut", question -> step(answer -> eachLink(question.text(), LinkFaults::cut)));
        server.post(ROOT + "heal", question -> step(answer -> eachLink(question.text(), LinkFaults::heal)));
        server.post(ROOT + "progress", question -> step(this::progress));
        server.post(ROOT + "check", question -> step(answer -> share().check()));
        server.post(ROOT + "reset", question -> step(answer -> share().reset()));
        server.post(ROOT + "measure", question -> step(this::measure));
        server.post(ROOT + "end", question -> step(this::end));
        server.post(ROOT + "logs", question -> step(this::logs));
        server.post(ROOT + "return", question -> step(answer -> giveBack()));
        server.get(ROOT + "copy", question -> copy(question.query()));
        server.get(ROOT + "history", question -> history());
    }

    private synchronized Answer step(Step step) throws Exception {
        ObjectNode answer = MAPPER.createObjectNode();
        step.run(answer);
        return Answer.ok(AdminServer.JSON, MAPPER.writeValueAsString(answer));
    }

    private BenchShare share() {
        if (share == null) {
            throw new IllegalStateException("no benchmark has been prepared here");
        }
        return share;
    }

    /** Leases the process to a driver. The answer ends when the lease does, so that the driver's connection stays open meanwhile. */
    private synchronized Answer lend() throws InterruptedException {
        endLease();
        DriverLease lent = new DriverLease();
        lease = lent;
        return new Answer(HttpURLConnection.HTTP_OK, AdminServer.BYTES, out -> hold(lent, out));
    }

    private void hold(DriverLease lent, OutputStream out) throws IOException {
        try {
            lent.awaitEnd(out);
        } catch (IOException e) {
            giveBackAfter(lent);
            throw e;
        }
    }

    /** Lets the node serve again after a driver has closed its connection without giving the process back. */
    private synchronized void giveBackAfter(DriverLease lost) {
        if (lease != lost) {
            return; // another driver leases the process, or none
        }
        LOG.warn(
                "event=driver_lost: the process that ran a benchmark here has ended, or closed its connection; the node"
                        + " ends the benchmark and serves again");
        try {
            giveBack();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("event=process_not_serving: the node does not serve again after the benchmark", e);
        }
    }

    /** Ends the benchmark of the driver that leases the process, and the lease. */
    private void endLease() throws InterruptedException {
        if (lease != null) {
            lease.end();
        }
        lease = null;
        if (share != null) {
            share.close();
        }
        share = null;
        host.borrow();
    }

    private void prepare(BenchRequest request) {
        if (!host.isBorrowed()) {
            throw new IllegalStateException("the process has not been borrowed for a benchmark");
        }
        share = new BenchShare(reader.apply(request), host, request, fronts);
    }

    private void run(ObjectNode answer) {
        share().run();
        share().address().ifPresent(address -> answer.put("client", address));
    }

    private void missing(ObjectNode answer) {
        share().node().missing().forEach(answer.putArray("missing")::add);
    }

    /**
     * Changes links of this node.
     *
     * @param peers the nodes at the other ends, with commas; empty for all
     */
    private void eachLink(String peers, BiConsumer<LinkFaults, Integer> change) {
        LinkFaults faults = links.orElseThrow(() -> new IllegalStateException(
                "its links cannot be cut: for links that can be cut, bring the cluster up with --delay,"
                        + " for example n0-n1=0ms"));
        NodeServer node = share().node();
        IntStream chosen = peers.isEmpty()
                ? IntStream.range(0, node.config().nodes())
                : Stream.of(peers.split(",", -1)).mapToInt(Integer::parseInt);
        chosen.filter(peer -> peer != node.id()).forEach(peer -> change.accept(faults, peer));
    }

    private void progress(ObjectNode answer) {
        NodeServer node = share().node();
        answer.put("can_start", node.canStart());
        answer.put("serving", node.isServing());
        answer.put("expelled", node.state() == NodeServer.State.EXPELLED);
        answer.put("epoch", node.configuration().map(Configuration::epoch).orElse(0L));
        ArrayNode members = answer.putArray("members");
        node.configuration().ifPresent(now -> now.members().stream().forEach(members::add));
        answer.put("committed", share().committed());
        answer.put("compile_millis", CpuTime.compileMillisOfThisProcess());
        ObjectNode first = answer.putObject("first_commit_nanos");
        share().firstCommits().forEach((epoch, nanos) -> first.put(Long.toString(epoch), nanos));
    }

    private void measure(ObjectNode answer) {
        Measurements counted = share().node().measurements();
        // The times last: they cover all that was counted, and throughput is not exaggerated.
        answer.put("measured_nanos", share().measuredNanos());
        answer.put("cpu_nanos", share().cpuNanos());
        Optional<ProcessorTime> processor = share().processor();
        answer.put("processor_run_nanos", processor.map(ProcessorTime::runNanos).orElse(null));
        answer.put(
                "processor_wait_nanos", processor.map(ProcessorTime::waitNanos).orElse(null));
        MeasurementsJson.write(counted, answer);
    }

    private void end(ObjectNode answer) {
        answer.put("ended", share().end(BenchRunner.PATIENCE));
        answer.put(
                "tally", share().generators().stream().mapToLong(Account::tally).sum());
        answer.put(
                "anomalies",
                share().generators().stream().mapToLong(Account::anomalies).sum());
        Account.sumOfCounts(share().generators()).forEach(answer.putObject("counts")::put);
    }

    private void logs(ObjectNode answer) {
        write(share().node().logged(), answer.putArray("logged"));
        write(share().node().replayed(), answer.putArray("replayed"));
    }

    private static void write(List<NodeServer.LogPosition> logs, ArrayNode json) {
        for (NodeServer.LogPosition log : logs) {
            json.addArray()
                    .add(log.writer())
                    .add(log.worker())
                    .add(log.backup())
                    .add(log.position());
        }
    }

    private void giveBack() throws InterruptedException {
        endLease();
        host.serve();
    }

    private synchronized Answer copy(String query) {
        Matcher matcher = COPY.matcher(query);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("got '" + query + "', allowed: table=N&partition=N");
        }
        int id = Integer.parseInt(matcher.group(1));
        int partition = Integer.parseInt(matcher.group(2));
        NodeServer node = share().node();
        if (id >= node.catalog().tables()
                || partition >= node.catalog().placement().partitions()) {
            throw new IllegalArgumentException("got '" + query + "', allowed: an existing table and partition");
        }
        Table table = node.catalog().table(id);
        Optional<TablePartition> copy = node.copy(table, partition);
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("node " + node.id() + " has no copy of " + query);
        }
        return new Answer(HttpURLConnection.HTTP_OK, AdminServer.BYTES, out -> write(copy.get(), out));
    }

    /** Writes the part of a copy that is in use. */
    private static void write(TablePartition copy, OutputStream out) throws IOException {
        Memory memory = copy.memory();
        long end = copy.table().layout().regionBytes(copy.depth());
        byte[] chunk = new byte[CHUNK_BYTES];
        for (long offset = 0; offset < end; offset += CHUNK_BYTES) {
            int bytes = (int) Math.min(CHUNK_BYTES, end - offset);
            memory.getBytes(offset, chunk, 0, bytes);
            out.write(chunk, 0, bytes);
        }
    }

    private synchronized Answer history() throws IOException {
        History history = share().recorder()
                .orElseThrow(() -> new IllegalStateException("the history was not recorded"))
                .history();
        Path file = Files.createTempFile("rcc-history", ".json.gz");
        history.write(file);
        return new Answer(HttpURLConnection.HTTP_OK, AdminServer.BYTES, out -> {
            try {
                Files.copy(file, out);
            } finally {
                Files.delete(file);
            }
        });
    }
}
