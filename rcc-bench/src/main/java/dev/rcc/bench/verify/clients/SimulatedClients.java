package dev.rcc.bench.verify.clients;

import dev.rcc.bench.verify.clients.AppliedCommits.Applied;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.gateway.OutcomeRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Clients of a simulated cluster, and a gateway on each of its nodes. The course is: create, {@link #recorder} into the cluster's
 * configuration, {@link #loaded} and {@link #start} when it has started, and when its clients have ended {@link #violations}.
 *
 * <p>Used by the thread of a simulation and its coroutines.
 */
public final class SimulatedClients {
    private static final long REAP_NANOS = 500_000;
    private static final int IDLE_MILLIS = 5;
    private static final int LIFETIME_MILLIS = 30;
    private static final int FRAME_LENGTH = 1024 * 1024;
    private static final int MAX_VIOLATIONS = 10;

    private final int outcomeSlots;
    private final boolean isCalm;
    private final GatewayOptions options;
    private final SplittableRandom random;
    private final List<ClientCommit> commits = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final ClientWindows windows = new ClientWindows();
    /** By key of a record of outcomes: the commits that have named it. */
    private final Map<Long, List<CommitId>> outcomeUsers = new HashMap<>();
    /** Whether a call was answered. */
    private boolean hasCalled;
    /** Whether a commit was answered of an interactive transaction that had read something. */
    private boolean hasReadAndWritten;

    private AppliedCommits applied;
    private SimulatedCluster cluster;
    private Optional<OutcomeRecords> outcomes = Optional.empty();
    /** By node: the gateway of its present or last incarnation. */
    private SimulatedGateway[] gateways = {};

    private long incarnations;
    private int running;

    /** Receives writes that clients know to have taken effect. */
    @FunctionalInterface
    public interface Acknowledgements {
        /**
         * A write was acknowledged.
         *
         * @param table the table's number
         * @param version the version that was written
         */
        void acknowledged(int table, long keyHash, long version, boolean isDelete);
    }

    /**
     * Clients of a cluster with these tables.
     *
     * @param isCalm whether the cluster loses no node and no link
     */
    public SimulatedClients(ClientTables tables, long seed, boolean isCalm) {
        this.outcomeSlots = tables.outcomeSlots();
        this.isCalm = isCalm;
        this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ 0xC2B2AE3D27D4EB4FL);
        int waiting = 1 + random.nextInt(16);
        this.options = GatewayOptions.DEFAULT
                .withLimits(new Message.Limits(
                        FRAME_LENGTH, 64, 64, ClientTables.KEYS, FRAME_LENGTH, IDLE_MILLIS, LIFETIME_MILLIS))
                .withCapacity(64, waiting, 100_000)
                .withOutcomeRetention(Duration.ofMinutes(10));
    }

    /** The recorder of the cluster's coordinators; it forwards everything to {@code next}. */
    public HistoryRecorder recorder(HistoryRecorder next) {
        applied = new AppliedCommits(next);
        return applied;
    }

    /** Notes the loaded records. */
    public void loaded(ClusterInspection inspection) {
        applied.loaded(inspection);
    }

    /** Opens the gateways, and starts {@code clients} clients, each of which runs {@code transactions} transactions. */
    public void start(SimulatedCluster newCluster, int clients, int transactions) {
        cluster = newCluster;
        outcomes = OutcomeRecords.of(cluster.catalog(), options.timeouts().outcomeRetention());
        gateways = new SimulatedGateway[cluster.config().nodes()];
        running = clients;
        for (int node = 0; node < gateways.length; node++) {
            open(node);
        }
        cluster.whenRejoined(this::open);
        for (int i = 0; i < clients; i++) {
            SimulatedClient client = new SimulatedClient(this, random.split(), transactions);
            later(random.nextInt(10_000), client::next);
        }
        later(REAP_NANOS, this::reap);
    }

    private void open(int node) {
        if (running > 0) {
            gateways[node] = SimulatedGateway.open(cluster, node, options, ++incarnations);
        }
    }

    private void reap() {
        if (running > 0) {
            for (SimulatedGateway gateway : gateways) {
                gateway.core().reap();
            }
            later(REAP_NANOS, this::reap);
        }
    }

    /** Whether all clients have run all their transactions. */
    public boolean haveEnded() {
        return running == 0;
    }

    /** The counts of the clients' windows; see {@link ClientWindows}. */
    public Map<String, Long> windows() {
        return windows.counts();
    }

    /** Reports the writes that clients know to have taken effect from the replies that they received. */
    public void acknowledge(Acknowledgements listener) {
        for (ClientCommit commit : commits) {
            for (Applied known : commit.acknowledged(applied)) {
                known.writes()
                        .forEach(write -> listener.acknowledged(
                                write.key().table(), write.keyHash(), known.commitTs(), write.isDelete()));
            }
        }
    }

    /** The violations so far, each a sentence. */
    public List<String> violations() {
        List<String> all = new ArrayList<>(violations);
        for (ClientCommit commit : commits) {
            all.addAll(commit.violations(applied));
        }
        return all.subList(0, Math.min(all.size(), MAX_VIOLATIONS));
    }

    /** The violations when all clients have ended: if nothing was lost, some of many transactions commit. */
    public List<String> violationsOfProgress() {
        List<String> all = new ArrayList<>();
        if (isCalm && !hasCalled) {
            all.add("no call was answered to have taken effect although no node was lost");
        }
        if (isCalm && !hasReadAndWritten) {
            all.add("no transaction that reads and writes was answered to have taken effect"
                    + " although no node was lost");
        }
        return all;
    }

    /** Notes the records at the end. */
    public void atRest(ClusterInspection inspection) {
        applied.atRest(inspection);
    }

    // ---- for clients -----------------------------------------------------------------------------------------------

    SimulatedLink link(SplittableRandom chance, SimulatedGateway gateway, SimulatedLink.Listener client) {
        return new SimulatedLink(cluster.network(), chance, gateway, client);
    }

    SimulatedGateway anyGateway(SplittableRandom chance) {
        return gateways[chance.nextInt(gateways.length)];
    }

    /** Whether a gateway is the present one of a running node. */
    boolean isOpen(SimulatedGateway gateway) {
        for (int node = 0; node < gateways.length; node++) {
            if (gateways[node].equals(gateway)) {
                return cluster.isRunning(node);
            }
        }
        return false;
    }

    boolean isOutcomeRecorded() {
        return outcomeSlots > 0;
    }

    long nanos() {
        return cluster.nanos();
    }

    static long idleNanos() {
        return Duration.ofMillis(IDLE_MILLIS).toNanos();
    }

    void later(long nanos, Runnable action) {
        cluster.network().later(nanos, action);
    }

    void hit(String window) {
        windows.hit(window);
    }

    /** Whether the cluster loses no node and no link. */
    boolean isCalm() {
        return isCalm;
    }

    /** A client sends a commit for the first time. */
    void sent(ClientCommit commit) {
        commits.add(commit);
        if (commit.isNamed() && outcomes.isPresent()) {
            long key = outcomes.get().key(commit.id());
            outcomeUsers.computeIfAbsent(key, none -> new ArrayList<>()).add(commit.id());
        }
    }

    /** Whether the outcome of a commit has its place where that of another slot has it, too. */
    boolean isSlotOfAnother(ClientCommit commit) {
        return outcomes.isPresent()
                && outcomeUsers.getOrDefault(outcomes.get().key(commit.id()), List.of()).stream()
                        .anyMatch(other -> !other.isOfSlotOf(commit.id()));
    }

    /** A client receives the answer to its commit or call that it has taken effect. */
    void committed(ClientCommit commit) {
        switch (commit.plan()) {
            case Plan.Call call -> hasCalled = true;
            case Plan.Interactive interactive -> hasReadAndWritten |= interactive.writes() && interactive.reads();
            case Plan.Single single -> {}
        }
    }

    /** The gateway replies at this moment that a commit has taken effect. */
    void took(ClientCommit commit) {
        if (applied.last().isAgain()) {
            windows.hit(ClientWindows.REPLAYED);
        }
        if (!commit.isNamed()) {
            commit.took(applied.last());
        }
    }

    /** Whether a commit has taken effect, as far as the simulation knows; its client does not know. */
    boolean hasTakenEffect(ClientCommit commit) {
        return applied.of(commit.id()).stream().anyMatch(applied::hasTakenEffect);
    }

    void report(String violation) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(violation);
        }
    }

    void reportUnresolved(ClientCommit commit) {
        report("no node returned the outcome of commit " + commit.id());
    }

    /** A client has run all its transactions; the last client closes the gateways. */
    void ended() {
        if (--running == 0) {
            for (SimulatedGateway gateway : gateways) {
                gateway.core().close();
            }
        }
    }
}
