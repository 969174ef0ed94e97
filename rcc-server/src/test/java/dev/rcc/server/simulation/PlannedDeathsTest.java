package dev.rcc.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.transport.sim.Faults;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a simulated cluster that die at events: the other nodes then find the planned state. */
class PlannedDeathsTest {
    private static final int NODES = 5;
    private static final int COROUTINES = 3;
    private static final int KEYS = 40;
    private static final int TRANSACTIONS = 40;
    private static final int RECORD_BYTES = 1600;
    private static final int PAIR_BYTES = 8;
    private static final long NEVER = 1_000_000_000;
    private static final long SOON = 200_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Client update() {
        return (runner, self) -> runner.run(update(self.worker().random(KEYS)));
    }

    /** Deaths under a code, and how many of them come about; updates of long records unless the plan has another transaction. */
    private record Plan(String code, long seed, int recordBytes, Client transaction, int crashes, List<Death> deaths) {
        static Plan of(String code, Death... deaths) {
            return new Plan(code, 7, RECORD_BYTES, update(), deaths.length, List.of(deaths));
        }

        Plan withSeed(long other) {
            return new Plan(code, other, recordBytes, transaction, crashes, deaths);
        }

        Plan withRecordBytes(int bytes) {
            return new Plan(code, seed, bytes, transaction, crashes, deaths);
        }

        Plan withTransaction(Client other) {
            return new Plan(code, seed, recordBytes, other, crashes, deaths);
        }

        Plan withCrashes(int count) {
            return new Plan(code, seed, recordBytes, transaction, count, deaths);
        }
    }

    private static Windows run(String code, Death... deaths) {
        return run(Plan.of(code, deaths));
    }

    private static Windows run(Plan plan) {
        Protocol protocol = Protocols.byName("nowait");
        ClusterConfig config = ClusterConfig.of(
                        protocol, List.of(TableSchema.ofLongKeys(0, "t", plan.recordBytes, 4 * KEYS)))
                .withCode(HybridCode.parse(protocol, plan.code))
                .withShape(NODES, 1, COROUTINES, 3)
                .withMemory(4 * 1024, 32 * 1024, 1024)
                .withRecovery(Duration.ofSeconds(1))
                .withSeed(plan.seed);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            for (long key = 0; key < KEYS; key++) {
                cluster.loader().load(cluster.catalog().table(0), key, record -> {});
            }
            cluster.plan(plan.deaths);
            cluster.start();
            Client client = (runner, self) -> {
                for (int i = 0; i < TRANSACTIONS; i++) {
                    plan.transaction.run(runner, self);
                }
            };
            cluster.spawnEverywhere(client);
            cluster.whenRejoined(node -> {
                for (int coroutine = 0; coroutine < COROUTINES; coroutine++) {
                    cluster.spawn(node, 0, coroutine, client);
                }
            });
            assertThat(cluster.awaitClients(PATIENCE)).isTrue();
            assertThat(cluster.await(PATIENCE, cluster::isReconfigured)).isTrue();
            assertThat(cluster.faults().count(Faults.Kind.CRASH)).isEqualTo(plan.crashes);
            assertThat(cluster.quiesce(PATIENCE)).isTrue();
            assertThat(cluster.inspect().violations()).isEmpty();
            return cluster.windows();
        }
    }

    private static Procedure update(long key) {
        return new Procedure() {
            private Access access;

            @Override
            public void declare(Transaction txn) {
                access = txn.update(txn.catalog().table(0), key);
            }

            @Override
            public void execute(Transaction txn) {
                access.putLong(0, access.getLong(0) + 1);
            }
        };
    }

    /**
     * Adds one to a record of one partition and to one of another, which are alike at all times.
     *
     * @param halves counts attempts that see one without the other
     */
    private static Procedure updatePair(int one, int other, AtomicLong halves) {
        return new Procedure() {
            private Access first;
            private Access second;

            @Override
            public void declare(Transaction txn) {
                Table table = txn.catalog().table(0);
                first = txn.update(table, keyIn(table, one));
                second = txn.update(table, keyIn(table, other));
            }

            @Override
            public void execute(Transaction txn) {
                if (first.getLong(0) != second.getLong(0)) {
                    halves.incrementAndGet();
                }
                first.putLong(0, first.getLong(0) + 1);
                second.putLong(0, second.getLong(0) + 1);
            }
        };
    }

    private static long keyIn(Table table, int partition) {
        return LongStream.range(0, KEYS)
                .filter(key -> table.partition(table.keyHash(key)) == partition)
                .findFirst()
                .orElseThrow();
    }

    private static Procedure delete(long key) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {
                txn.delete(txn.catalog().table(0), key);
            }

            @Override
            public void execute(Transaction txn) {}
        };
    }

    private static Procedure insert(long key) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {
                txn.insert(txn.catalog().table(0), key);
            }

            @Override
            public void execute(Transaction txn) {}
        };
    }

    private static Death death(int node, Moment moment) {
        return new Death(node, Victim.NODE, moment, 0, NEVER, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldDieWithATransactionInAsManyRingsAsPlanned(String code) {
        assertThat(run(code, death(2, new Moment.Logged(20, 0))).counts()).containsKey(Windows.ENTRY_NOWHERE);
        assertThat(run(code, death(2, new Moment.Logged(20, 1))).counts()).containsKey(Windows.ENTRY_SOMEWHERE);
        assertThat(run(code, death(2, new Moment.Logged(20, 2))).counts()).containsKey(Windows.ENTRY_EVERYWHERE);
    }

    // Method: one of ten entries, as not every entry goes to the ring that cannot be reached.
    @Test
    void shouldDieWithATransactionThatIsMarkedAsAborted() {
        assertThat(IntStream.range(5, 15)
                        .mapToObj(mark -> run("one-sided", death(2, new Moment.Marked(mark))))
                        .map(Windows::counts))
                .anySatisfy(counts -> assertThat(counts).containsKey(Windows.ENTRY_ABORTED));
    }

    @Test
    void shouldDieWhenARingHasLappedACommitNotReportedToAnotherBackup() {
        assertThat(run(Plan.of("one-sided", death(2, new Moment.Lapped(1))).withSeed(1))
                        .counts())
                .containsKey(Windows.ENTRY_OVERWRITTEN);
    }

    // Goal: a transaction's entry in a ring counts from its stamp on. Else backups that lack it wait for it
    // when it is replayed elsewhere.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldDieWhenAnEntryHasTheStampOfTheOneThatItOverwrites(long seed) {
        assertThat(run(Plan.of("one-sided", death(2, new Moment.Torn(3))).withSeed(seed))
                        .counts())
                .containsKey(Windows.ENTRY_TORN);
    }

    @Test
    void shouldDieWithTheIndexEntryOfADeletedTupleLeft() {
        Windows windows =
                run(Plan.of("one-sided", death(2, new Moment.Unfreed(5))).withTransaction((runner, self) -> {
                    long key = self.worker().random(KEYS);
                    runner.run(delete(key));
                    runner.run(insert(key));
                }));
        assertThat(windows.counts()).containsKey(Windows.DELETE_UNFREED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "log", "commit"})
    void shouldDieAfterAStage(String stage) {
        assertThat(run("one-sided", death(1, new Moment.Passed(stage, 12))).counts())
                .containsKey(Windows.deathAfter(stage));
    }

    // Method: data is in memory only, so nothing is saved: that step takes no time.
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SAVE", "WELCOME", "COPY"})
    void shouldDieWhileAnotherIsTakenOut(RecoveryStep step) {
        Death first = death(2, new Moment.Logged(20, 1));
        assertThat(run("one-sided", first, death(4, new Moment.Recovering(step, false, 2)))
                        .counts())
                .containsKey(Windows.deathIn(step));
    }

    // Goal: a hunt checks the operations of such a node's clients, and does not look at the data while they
    // run.
    @Test
    void shouldWaitForTheClientsOfARejoiningNodeWhenAllOthersHaveEnded() {
        AtomicLong ended = new AtomicLong();
        Death death = death(2, new Moment.Logged(20, 1)).returning(50_000_000);
        run(Plan.of("rpc", death).withTransaction((runner, self) -> {
            update().run(runner, self);
            ended.incrementAndGet();
        }));
        assertThat(ended).hasValueGreaterThanOrEqualTo(NODES * COROUTINES * TRANSACTIONS);
    }

    // Goal: a transaction that was found aborted is found aborted again by the nodes that are left when the
    // node has died that lacked the entry.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldFindTheSameAbortWhenTheNodeThatLackedTheEntryDies(String code) {
        Death first = death(2, new Moment.Logged(20, 1));
        Death second = death(1, new Moment.Recovering(RecoveryStep.INSTALL, false, 2));
        assertThat(run(Plan.of(code, first, second).withSeed(1)).counts())
                .containsKey(Windows.ENTRY_SOMEWHERE)
                .containsKey(Windows.deathIn(RecoveryStep.INSTALL));
    }

    // Goal: a primary that logs is asked while a backup is left, too. Method: the first death leaves a
    // transaction in all rings but the primary's; the second takes the last backup when another node has
    // replayed the transactions that were found committed.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldFindTheSameOutcomeWhenOnlyThePrimaryIsLeft(String code) {
        AtomicLong halves = new AtomicLong();
        Client pair = (runner, self) -> runner.run(updatePair(1, 0, halves));
        Death first = death(2, new Moment.Logged(10, 3));
        Death second = death(1, new Moment.Recovering(RecoveryStep.REPLAY, true, NODES));
        assertThat(run(Plan.of(code, first, second)
                                .withSeed(1)
                                .withRecordBytes(PAIR_BYTES)
                                .withTransaction(pair))
                        .counts())
                .containsKey(Windows.ENTRY_SOMEWHERE)
                .containsKey(Windows.deathIn(RecoveryStep.INSTALL));
        assertThat(halves).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldRejoinInAnotherIncarnationAndCoordinateTransactionsAgain(String code) {
        Death first = death(2, new Moment.Logged(20, 1)).returning(SOON);
        Death again = death(2, new Moment.Logged(10, 2)).returning(SOON);
        assertThat(run(code, first, again).counts())
                .containsEntry(Windows.REJOINED, 2L)
                .containsEntry(Windows.REJOINED_AGAIN, 1L)
                .containsKey(Windows.DEATH_AFTER_RETURN);
    }

    @Test
    void shouldRejoinBeforeItsDeathIsNoticed() {
        Death death = new Death(2, Victim.NODE, new Moment.Logged(20, 1), 0, NEVER, 2 * SOON).returning(SOON);
        assertThat(run("one-sided", death).counts())
                .containsKey(Windows.BACK_UNNOTICED)
                .containsKey(Windows.REJOINED);
    }

    // A node that the others wrongly take for dead goes on, acknowledges nothing, and rejoins in another
    // incarnation.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldLiveOnWithoutALeaseWhenItCountsAsDead(String code) {
        Death death = new Death(2, Victim.NODE, new Moment.Logged(20, 0), 0, NEVER, SOON / 4).suspected(SOON);
        assertThat(run(code, death).counts())
                .containsEntry(Windows.SUSPECTED, 1L)
                .containsEntry(Windows.SUSPECTED_GOES_ON, 1L)
                .containsEntry(Windows.REJOINED, 1L);
    }

    @Test
    void shouldRefuseToEndANodeBeforeTheOthersAreWrongAboutIt() {
        assertThatThrownBy(() -> new Death(2, Victim.NODE, new Moment.Later(0), 0, NEVER, 5, 4, false, true))
                .hasMessageContaining(
                        "a node that lives on ends after the others have taken it out, at 5, got return 4");
    }

    static List<RecoveryStep> stepsOfJoins() {
        return RecoveryStep.TO_JOIN;
    }

    @ParameterizedTest
    @MethodSource("stepsOfJoins")
    void shouldDieWhileItIsTakenIn(RecoveryStep step) {
        Death first = death(2, new Moment.Logged(20, 1)).returning(SOON);
        Death second = death(0, new Moment.Joining(step, false, 1, true)).returning(SOON);
        assertThat(run(Plan.of("one-sided", first, second).withSeed(1)).counts())
                .containsKey(Windows.deathOfJoinerIn(step))
                .containsKey(Windows.REJOINED);
    }

    @ParameterizedTest
    @MethodSource("stepsOfJoins")
    void shouldDieWhileAnotherIsTakenIn(RecoveryStep step) {
        Death first = death(2, new Moment.Logged(20, 1)).returning(SOON);
        Death second = death(3, new Moment.Joining(step, false, 1, false));
        assertThat(run(Plan.of("one-sided", first, second).withSeed(1)).counts())
                .containsKey(Windows.deathInJoin(step))
                .containsKey(Windows.REJOINED);
    }

    @Test
    void shouldNotDieWithTheLastCopy() {
        Death first = death(0, new Moment.Logged(20, 1)).returning(NEVER / 10);
        Death second = death(1, new Moment.Later(0)).returning(NEVER / 10);
        Death third = death(2, new Moment.Later(0));
        assertThat(run(Plan.of("one-sided", first, second, third).withCrashes(2))
                        .counts())
                .containsEntry(Windows.REJOINED, 2L);
    }

    @Test
    void shouldDieTogether() {
        Death first = new Death(2, Victim.NODE, new Moment.Logged(20, 1), 0, NEVER, 100_000);
        assertThat(run("rpc", first, death(3, new Moment.Later(0))).counts()).containsKey(Windows.DEATH_TOGETHER);
    }
}
