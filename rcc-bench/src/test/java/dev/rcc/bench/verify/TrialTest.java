package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario.FaultKind;
import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.node.Loader;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class TrialTest {
    private static final Logger LOG = LoggerFactory.getLogger(TrialTest.class);

    /** A fair scenario whose clients read a record and then do the test's part. */
    private static Scenario scenario(Consumer<Transaction> then) {
        return scenario("", then);
    }

    /** The same scenario, with options of its protocol in words. */
    private static Scenario scenario(String options, Consumer<Transaction> then) {
        return scenario(FaultKind.FAIR, options, new Reading(then));
    }

    private static Scenario scenario(FaultKind kind, String options, Workload workload) {
        Protocol sharing = Protocols.byName("nowait"); // whatever is drawn: readers do not abort each other
        Scenario drawn =
                Scenario.draw(sharing, 5, new Scenario.Wish(name -> true, code -> true, faults -> faults == kind));
        return new Scenario(
                sharing,
                drawn.seed(),
                drawn.code(),
                workload,
                drawn.simulation(),
                drawn.faults(),
                drawn.zones(),
                drawn.workers(),
                drawn.coroutines(),
                drawn.transactions(),
                drawn.logRingBytes(),
                options);
    }

    @Test
    void shouldBeCleanWhenNothingIsWrong() {
        Trial trial = Trial.run(scenario(txn -> {}));
        assertThat(trial.violations()).isEmpty();
        assertThat(trial.isClean()).isTrue();
        assertThat(trial.committed()).isPositive();
    }

    @Test
    void shouldReportAnExceptionOfAClientAsAViolation() {
        Trial trial = Trial.run(scenario(txn -> {
            throw new IllegalStateException("seven");
        }));
        assertThat(trial.violations()).singleElement().asString().contains("seven", "TrialTest");
        assertThat(trial.isClean()).isFalse();
    }

    // A failure in a handler or a poller is logged, and the cluster goes on, perhaps for ever.
    @Test
    void shouldEndWithTheFirstErrorThatIsLogged() {
        int[] runs = {0};
        Trial trial = Trial.run(scenario(txn -> {
            if (++runs[0] == 3) {
                LOG.error("a lock was lost by {}", txn.id(), new IllegalStateException("eight"));
            }
        }));
        assertThat(trial.violations()).singleElement().asString().contains("a lock was lost by", "eight", "TrialTest");
        assertThat(runs[0]).isEqualTo(3);
    }

    @Test
    void shouldTakeNoWarningForAnError() {
        assertThat(Trial.run(scenario(txn -> LOG.info("all is well"))).violations())
                .isEmpty();
    }

    // Method: a transaction that is tried again and again, without an end.
    @Test
    void shouldEndSoonWhenTheClientsDoNot() {
        Scenario endless = scenario(txn -> txn.coroutine().sleep(1));
        Trial trial = new TrialRun(endless, 1_000).run();
        assertThat(trial.violations()).singleElement().asString().contains("no end after 1,001 events");
    }

    // Method: the record changes on its way to the transaction, which reads the right version of it.
    @Test
    void shouldDetectAReadThatDiffersFromTheWrittenRecord() {
        int[] runs = {0};
        Trial trial = Trial.run(scenario(txn -> {
            Access access = txn.access(0);
            long record = access.imageOffset() + access.layout().recordOffset();
            txn.buffer().memory().putLong(record, ++runs[0] == 3 ? 99 : 0);
        }));
        assertThat(trial.checked().isClean()).isTrue();
        assertThat(trial.violations())
                .singleElement()
                .asString()
                .contains("a transaction read version", "table numbers", "not as it was written");
    }

    @Test
    void shouldNoticeATransactionThatTakesTooLong() {
        AtomicBoolean hasSlept = new AtomicBoolean();
        Trial trial = Trial.run(scenario(txn -> {
            if (!hasSlept.getAndSet(true)) {
                txn.coroutine().sleep(2_000_000_000L);
            }
        }));
        assertThat(trial.violations()).singleElement().asString().contains("a transaction took", "us of virtual time");
    }

    // Method: a transaction aborts once as if it had waited in vain; its next attempt commits.
    @ParameterizedTest
    @CsvSource({
        "'', true",
        "waitdie.log=acknowledged sundial.renews=execute, true",
        "waitdie.wait-ms=0.005, false",
        "waitdie.log=acknowledged dslr.lease-ms=1, false"
    })
    void shouldReportAWaitThatEndedByItsTimeLimitUnlessTheLimitIsDrawn(String options, boolean isReported) {
        AtomicBoolean hasWaited = new AtomicBoolean();
        Trial trial = Trial.run(scenario(options, txn -> {
            if (!hasWaited.getAndSet(true)) {
                txn.abort(ConflictReasons.WAIT_TIMEOUT);
                throw Rollback.INSTANCE;
            }
        }));
        assertThat(trial.violations())
                .hasSize(isReported ? 1 : 0)
                .allMatch(each -> each.contains("1 attempts timed out"));
    }

    @Test
    void shouldReportThatNothingCommits() {
        Trial trial = Trial.run(scenario(txn -> {
            txn.abort(AbortReason.TABLE_FULL);
            throw Rollback.INSTANCE;
        }));
        assertThat(trial.violations())
                .hasSize(2)
                .anyMatch(each -> each.contains("no transaction committed"))
                .anyMatch(each -> each.contains("transactions ended for TABLE_FULL"));
    }

    // Goal: the data is checked also after nodes or links were lost, when some clients' accounts may lack transactions.
    @ParameterizedTest
    @EnumSource(names = {"FAILOVER", "CUTS", "ROUGH"})
    void shouldCheckTheDataOfTheWorkload(FaultKind faults) {
        Trial trial = Trial.run(scenario(faults, "", new Reading(txn -> {}) {
            @Override
            public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
                return List.of(Account.areComplete(clients) ? "ten" : "eleven");
            }
        }));
        assertThat(trial.violations()).containsExactly(faults == FaultKind.ROUGH ? "ten" : "eleven");
    }

    // Goal: versions that nobody wrote, and inserts of keys that exist, are found also if nodes are lost for ever.
    @ParameterizedTest
    @EnumSource(names = {"PARTITIONED", "DEADLY"})
    void shouldRecordAllTransactionsOfLostNodes(FaultKind faults) {
        Trial trial = Trial.run(scenario(faults, "", new Reading(txn -> {})));
        assertThat(trial.isClean()).isTrue();
        assertThat(trial.history().isComplete()).isTrue();
    }

    @Test
    void shouldCallAFailureToSetUpAViolation() {
        Scenario scenario = scenario(txn -> {});
        Scenario unloadable = new Scenario(
                scenario.protocol(),
                scenario.seed(),
                scenario.code(),
                new Reading(txn -> {}) {
                    @Override
                    public void load(Loader loader) {
                        throw new IllegalArgumentException("nine");
                    }
                },
                scenario.simulation(),
                scenario.faults(),
                scenario.zones(),
                scenario.workers(),
                scenario.coroutines(),
                scenario.transactions(),
                scenario.logRingBytes(),
                scenario.options());
        assertThat(Trial.run(unloadable).violations())
                .singleElement()
                .asString()
                .contains("nine");
    }

    /** Reads one record. */
    private static class Reading implements Workload {
        private final Consumer<Transaction> then;

        Reading(Consumer<Transaction> then) {
            this.then = then;
        }

        @Override
        public String name() {
            return "reading";
        }

        @Override
        public Map<String, String> options() {
            return Map.of();
        }

        @Override
        public String promise() {
            return "nothing";
        }

        @Override
        public List<TableSchema> tables(int nodes) {
            return List.of(TableSchema.ofLongKeys(0, "numbers", 8, 8));
        }

        @Override
        public int maxAccesses() {
            return 1;
        }

        @Override
        public void load(Loader loader) {
            loader.load(loader.catalog().table(0), 1, record -> {});
        }

        @Override
        public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
            return IntStream.range(0, count)
                    .<Generator>mapToObj(i -> new Client(catalog))
                    .toList();
        }

        @Override
        public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
            return List.of();
        }

        private final class Client implements Generator, Procedure {
            private final Catalog catalog;

            Client(Catalog catalog) {
                this.catalog = catalog;
            }

            @Override
            public Procedure next() {
                return this;
            }

            @Override
            public void committed() {
                // nothing is counted
            }

            @Override
            public long tally() {
                return 0;
            }

            @Override
            public void declare(Transaction txn) {
                txn.read(catalog.table(0), 1);
            }

            @Override
            public void execute(Transaction txn) {
                then.accept(txn);
            }
        }
    }
}
