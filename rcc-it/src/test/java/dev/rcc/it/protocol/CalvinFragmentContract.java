package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.core.txn.Transaction;
import dev.rcc.it.protocol.TestCluster.Result;
import dev.rcc.server.config.ClusterConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A procedure that all nodes have by name runs on each node that holds keys that it writes (rcc, 4.6), and has the same result everywhere. */
abstract class CalvinFragmentContract extends ProtocolContract {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 16, 100);
    /** More than the room that a node has for the records of one transaction. */
    private static final TableSchema LARGE = TableSchema.ofLongKeys(0, "numbers", 2048, 100);

    /** Moves a key's value to another key, which must have none; gives up if the value is too small. */
    private static final class Move implements Fragment {
        static final String NAME = "move";

        private final Table table;
        /** How often it has run on each node. */
        private final Map<Integer, AtomicInteger> runs;

        private long from;
        private long to;
        private long least;
        private Access source;
        private Access target;

        Move(Table table, Map<Integer, AtomicInteger> runs) {
            this.table = table;
            this.runs = runs;
        }

        Move with(long newFrom, long newTo, long newLeast) {
            from = newFrom;
            to = newTo;
            least = newLeast;
            return this;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public int argumentBytes() {
            return 3 * Long.BYTES;
        }

        @Override
        public void putArguments(Memory memory, long offset) {
            memory.putLong(offset, from);
            memory.putLong(offset + 8, to);
            memory.putLong(offset + 16, least);
        }

        @Override
        public void takeArguments(Memory memory, long offset) {
            with(memory.getLong(offset), memory.getLong(offset + 8), memory.getLong(offset + 16));
        }

        @Override
        public void declare(Transaction txn) {
            source = txn.delete(table, from);
            target = txn.insert(table, to);
        }

        @Override
        public void execute(Transaction txn) {
            int node = txn.coroutine().worker().node();
            runs.computeIfAbsent(node, each -> new AtomicInteger()).incrementAndGet();
            if (!source.exists() || source.getLong(VALUE) < least) {
                txn.abort();
            } else if (!target.exists()) {
                target.putLong(VALUE, source.getLong(VALUE));
            }
        }
    }

    private final Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();

    private FragmentType move() {
        return new FragmentType(Move.NAME, this::newMove);
    }

    private Move newMove(Catalog catalog) {
        return new Move(catalog.table(0), runs);
    }

    private Map<Integer, Integer> runs() {
        Map<Integer, Integer> counts = new HashMap<>();
        runs.forEach((node, count) -> counts.put(node, count.get()));
        return counts;
    }

    private TestCluster start(ClusterConfig config) {
        runs.clear();
        return start(config, cluster -> {
            for (int node = 0; node < 3; node++) {
                cluster.loader.load(cluster.table(0), keyOn(cluster, cluster.table(0), node, 0), value(10 + node));
            }
        });
    }

    // Goal: the nodes that hold written keys run the procedure, the coordinator runs it, and no other node
    // does.
    @ForEveryCode
    void shouldRunOnlyOnItsCoordinatorAndTheNodesOfWrittenKeys(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withFragments(List.of(move())))) {
            Table table = cluster.table(0);
            long from = keyOn(cluster, table, 1, 0);
            long to = keyOn(cluster, table, 2, 1);
            cluster.commit(0, newMove(cluster.embedded.catalog()).with(from, to, 0));
            assertThat(runs()).isEqualTo(Map.of(0, 1, 1, 1, 2, 1));
            long back = keyOn(cluster, table, 1, 2);
            cluster.commit(2, newMove(cluster.embedded.catalog()).with(to, back, 0));
            assertThat(runs()).isEqualTo(Map.of(0, 1, 1, 2, 2, 2));
            assertThat(cluster.read(0, table, from)).isNull();
            assertThat(cluster.read(1, table, to)).isNull();
            assertThat(cluster.read(2, table, back)).isEqualTo(11);
            assertThat(cluster.metrics().committedByParticipants()).isEqualTo(2);
            cluster.assertAtRest();
        }
    }

    // Goal: an abort by the procedure is an abort on every node, and leaves no lock and no reserved slot.
    @ForEveryCode
    void shouldGiveUpEverywhere(HybridCode code) {
        try (TestCluster cluster = start(config(code, SCHEMA).withFragments(List.of(move())))) {
            Table table = cluster.table(0);
            long from = keyOn(cluster, table, 1, 0);
            long to = keyOn(cluster, table, 2, 1);
            assertThat(cluster.run(0, newMove(cluster.embedded.catalog()).with(from, to, 12)))
                    .isEqualTo(Result.aborted(AbortReason.USER_ABORT));
            assertThat(runs()).isEqualTo(Map.of(0, 1, 1, 1, 2, 1));
            assertThat(cluster.read(2, table, from)).isEqualTo(11);
            assertThat(cluster.read(0, table, to)).isNull();
            cluster.assertAtRest();
        }
    }

    // Goal: the coordinator alone runs a procedure that a node does not have by name, or that does not fit
    // into its inbox.
    @ForEveryCode
    void shouldBeRunByItsCoordinatorWhereOthersCannot(HybridCode code) {
        List<ClusterConfig> configs =
                List.of(config(code, SCHEMA), config(code, LARGE).withFragments(List.of(move())));
        for (ClusterConfig config : configs) {
            try (TestCluster cluster = start(config)) {
                Table table = cluster.table(0);
                long from = keyOn(cluster, table, 1, 0);
                long to = keyOn(cluster, table, 2, 1);
                Move move = newMove(cluster.embedded.catalog()).with(from, to, 0);
                int bytes = config.tables().getFirst().recordBytes();
                if (bytes == LARGE.recordBytes()) {
                    cluster.commit(0, new LargeMoves(cluster.embedded.catalog().table(0), move));
                } else {
                    cluster.commit(0, move);
                }
                assertThat(runs()).isEqualTo(Map.of(0, 1));
                assertThat(cluster.read(0, table, to)).isEqualTo(11);
                assertThat(cluster.metrics().committedByParticipants()).isZero();
                cluster.assertAtRest();
            }
        }
    }

    /** A move that also reads records, more than there is room for. */
    private record LargeMoves(Table table, Move move) implements Fragment {
        @Override
        public String name() {
            return Move.NAME;
        }

        @Override
        public int argumentBytes() {
            return move.argumentBytes();
        }

        @Override
        public void putArguments(Memory target, long offset) {
            move.putArguments(target, offset);
        }

        @Override
        public void takeArguments(Memory source, long offset) {
            move.takeArguments(source, offset);
        }

        @Override
        public void declare(Transaction txn) {
            move.declare(txn);
            for (long key = 1_000; key < 1_004; key++) {
                txn.read(table, key);
            }
        }

        @Override
        public void execute(Transaction txn) {
            move.execute(txn);
        }
    }
}
