package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.HistoryCollector;
import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.mvcc.PrintedMvcc;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Loader;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * MVCC on a simulated network that tears, delays and skews: every history is serializable, and every record whole. The
 * printed protocol's are not.
 */
class MvccSimulationTest {
    private static final int WORDS = 24;
    /** Larger than the pieces that READs and WRITEs are torn into. */
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", WORDS * Long.BYTES, 8);

    private static final int KEYS = 8;
    private static final long SEEDS = Long.getLong("rcc.seeds", 1);
    private static final long SEED = Long.getLong("rcc.seed", 42);

    /**
     * The violation of a run, if there is one.
     *
     * @param skews whether each transaction reads one key and writes another, instead of anything
     */
    private static Optional<String> run(Protocol protocol, HybridCode code, long seed, boolean skews) {
        HistoryCollector collector = new HistoryCollector();
        ClusterConfig config = ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(code)
                .withShape(3, 2, 3, 2)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withSeed(seed)
                .withHistory(collector);
        List<String> torn = new ArrayList<>();
        try (SimulatedCluster cluster =
                EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr").withFaults(FaultPlan.ROUGH))) {
            Loader loader = cluster.loader();
            Table table = cluster.catalog().table(0);
            for (long key = 0; key < KEYS / 2; key++) {
                loader.load(table, key, record -> {});
            }
            cluster.start();
            cluster.spawnEverywhere((runner, self) -> {
                for (int i = 0; i < 40; i++) {
                    Procedure next =
                            skews ? readingOneWritingAnother(table, self.worker()) : random(table, self.worker(), torn);
                    Outcome outcome = runner.run(next);
                    assertThat(outcome).isEqualTo(Outcome.COMMITTED);
                }
            });
            assertThat(cluster.awaitClients(Duration.ofHours(1))).isTrue();
            assertThat(cluster.quiesce(Duration.ofHours(1))).isTrue();
            assertThat(cluster.inspect().violations())
                    .as("code %s, -Drcc.seed=%s", code, seed)
                    .isEmpty();
        }
        assertThat(torn).as("code %s, -Drcc.seed=%s", code, seed).isEmpty();
        return Optional.of(Checker.check(collector.history(), Model.SERIALIZABLE))
                .filter(checked -> !checked.isClean())
                .map(CheckResult::report);
    }

    /** Up to four accesses, some of them discovered late; all words of a record are the same. */
    private static Procedure random(Table table, Worker worker, List<String> torn) {
        int early = 1 + worker.random(2);
        int late = worker.random(3);
        long choices = worker.random();
        return ProtocolContract.procedure(
                txn -> {
                    for (int i = 0; i < early; i++) {
                        access(txn, table, choices >>> (8 * i));
                    }
                    return null;
                },
                (txn, nothing) -> {
                    for (int i = 0; i < late; i++) {
                        access(txn, table, choices >>> (8 * (early + i)));
                        txn.fetch();
                    }
                    for (int i = 0; i < txn.size(); i++) {
                        readAndWrite(txn.access(i), txn.id(), torn);
                    }
                });
    }

    private static Procedure readingOneWritingAnother(Table table, Worker worker) {
        int read = worker.random(4);
        int written = (read + 1 + worker.random(3)) % 4;
        return ProtocolContract.procedure(
                txn -> List.of(txn.read(table, read), txn.update(table, written)),
                (txn, accesses) -> accesses.get(1).putLong(0, txn.id()));
    }

    private static void readAndWrite(Access access, long value, List<String> torn) {
        for (int word = 1; access.exists() && word < WORDS; word++) {
            if (access.getLong(word * Long.BYTES) != access.getLong(0)) {
                torn.add("word " + word + ": " + access.getLong(word * Long.BYTES) + ", not " + access.getLong(0));
            }
        }
        boolean writes = switch (access.intent()) {
            case UPDATE -> access.exists() && (access.keyHash() & 1) == 0;
            case INSERT -> !access.exists();
            default -> false;
        };
        for (int word = 0; writes && word < WORDS; word++) {
            access.putLong(word * Long.BYTES, value);
        }
    }

    private static void access(Transaction txn, Table table, long choice) {
        long key = choice & 7;
        int what = (int) (choice >>> 3) & 7;
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).keyHash() == KeyHash.of(key)) {
                return; // an access cannot change its mind
            }
        }
        if (what < 4) {
            txn.read(table, key);
        } else if (what < 6) {
            txn.update(table, key);
        } else if (what == 6) {
            txn.insert(table, key);
        } else {
            txn.delete(table, key);
        }
    }

    // Goal: a node of an index that an attempt may remove, and only changes, goes into the history as it
    // was.
    // Method: splits and merges of the smallest nodes; the hunt compares the contents of the histories at
    // the end.
    @Test
    void shouldKeepOldNodesOfAnIndexThatMightHaveBeenRemoved() {
        Scenario.Wish oneSidedCommit = new Scenario.Wish(
                "churn"::equals, code -> code.digits().equals("01010"), faults -> faults == Scenario.FaultKind.FAIR);
        for (long seed = 3; seed <= 6; seed++) {
            Trial trial = Trial.run(Scenario.draw(new Mvcc(MvccOptions.DEFAULT), seed, oneSidedCommit));
            assertThat(trial.violations()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void shouldMakeSerializableHistoriesOfWholeRecords() {
        for (HybridCode code : HybridCode.all(new Mvcc())) {
            for (long seed = SEED; seed < SEED + SEEDS; seed++) {
                Mvcc mvcc = new Mvcc(new MvccOptions(1 + (int) (seed % 4), seed % 3 != 0, (int) (seed % 5)));
                for (boolean skews : new boolean[] {true, false}) {
                    assertThat(run(mvcc, code, seed, skews))
                            .as("code %s, skews %s, -Drcc.seed=%s", code, skews, seed)
                            .isEmpty();
                }
            }
        }
    }

    // A transaction writes a key whose slot it has locked, though the key was deleted since, and by the
    // same RPC inserts another key, which claims the same slot: it aborts, and nothing of the claim may
    // stay behind.
    @Test
    void shouldDropAClaimOnASlotThatItHoldsForADeletedKey() {
        Mvcc mvcc = new Mvcc(new MvccOptions(2, true, 3));
        assertThat(run(mvcc, HybridCode.parse(mvcc, "10010"), 53, false)).isEmpty();
    }

    @Test
    void shouldFindTheHoleOfThePrintedProtocol() {
        Protocol printed = PrintedMvcc.with(MvccOptions.DEFAULT);
        HybridCode code = HybridCode.parse(printed, "one-sided");
        long seed = SEED;
        while (run(printed, code, seed, true).isEmpty()) {
            seed++;
            assertThat(seed).as("seeds without an anomaly").isLessThan(SEED + 50);
        }
    }
}
