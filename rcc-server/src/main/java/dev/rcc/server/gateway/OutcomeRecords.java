package dev.rcc.server.gateway;

import dev.rcc.client.wire.CommitId;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.time.Duration;
import java.util.Optional;

/**
 * The outcomes of commits that have a name, as records of the cluster. A transaction writes its outcome together with its other writes. So a node
 * that can read the writes can read the outcome, whichever nodes have died meanwhile (ADR 0029).
 *
 * <p>A client numbers its commits by slots, and uses a slot's next number only when it has the outcome of the last. So a slot needs one record, for
 * its last number. Slots of all clients are spread over the table's keys. Two slots may meet at one key; then the later one is refused until the
 * other has not been used for the retention time. So the table never holds more records than it has keys, and nothing has to be collected. A slot's
 * name may give the partition of its key ({@link CommitId#partition}): then a transaction at that partition's primary writes its outcome without
 * another node.
 *
 * <p>The record of a stored procedure's call has the result as well, if there is room for it; {@code kept} is then the number of its bytes plus 1,
 * otherwise 0.
 *
 * <pre>
 *  0          8          16                24         32
 * +----------+----------+-----------------+----------+- - - - - -+
 * | session  | slot,    | kept  | outcome | written, | result    |
 * |          | number   | 32    | 32 bits | Unix ms  |           |
 * +----------+----------+-----------------+----------+- - - - - -+
 * </pre>
 */
public final class OutcomeRecords {
    /** The table's name; users' tables do not have it. */
    static final String TABLE = "rcc.outcomes";

    static final int SESSION = 0;
    static final int NUMBER = SESSION + Long.BYTES;
    static final int OUTCOME = NUMBER + Long.BYTES;
    static final int WRITTEN = OUTCOME + Long.BYTES;
    static final int RESULT = WRITTEN + Long.BYTES;

    /** The default size, in bytes, of the results that are kept. */
    public static final int DEFAULT_RESULT_BYTES = 64;

    static final int COMMITTED = 1;
    static final int REFUSED = 2;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Keys drawn for each partition; with so many, none is in the wanted partition once in 10 million times. */
    private static final int TRIES_PER_PARTITION = 16;

    private final Table table;
    private final Placement home;
    private final Duration retention;

    private OutcomeRecords(Table table, Placement home, Duration retention) {
        this.table = table;
        this.home = home;
        this.retention = retention;
    }

    /**
     * The table that a cluster needs so that its gateways keep outcomes in it; without it, each gateway keeps its own outcomes in its memory.
     *
     * @param id the table's number, behind the users' tables
     * @param slots how many slots of clients there is room for
     */
    public static TableSchema schema(int id, int slots) {
        return schema(id, slots, DEFAULT_RESULT_BYTES);
    }

    /** The table, as {@link #schema(int, int)}, with room for results of so many bytes. */
    public static TableSchema schema(int id, int slots, int resultBytes) {
        return TableSchema.ofLongKeys(id, TABLE, RESULT + resultBytes, slots);
    }

    /** The outcome records of a cluster, if it has the table. */
    public static Optional<OutcomeRecords> of(Catalog catalog, Duration retention) {
        for (int id = 0; id < catalog.userTables(); id++) {
            if (catalog.table(id).schema().name().equals(TABLE)) {
                return Optional.of(new OutcomeRecords(catalog.table(id), catalog.home(), retention));
            }
        }
        return Optional.empty();
    }

    Table table() {
        return table;
    }

    /** Whether a result of so many bytes is kept. */
    boolean hasRoom(int resultBytes) {
        return resultBytes <= table.schema().recordBytes() - RESULT;
    }

    Duration retention() {
        return retention;
    }

    /**
     * The key of a commit's slot: any key, or a key in the partition that the commit's name gives. It never changes, so any gateway finds it at any
     * time. If a partition has so few of the keys that the tries find none, any key is used.
     */
    public long key(CommitId id) {
        long mixed = (id.session() ^ id.slot() * GOLDEN) * GOLDEN;
        long any = Long.remainderUnsigned(mixed ^ mixed >>> 32, table.schema().capacity());
        return id.partition() == CommitId.ANYWHERE ? any : key(mixed, id.partition() % home.partitions(), any);
    }

    private long key(long mixed, int partition, long otherwise) {
        for (int i = 0, tries = TRIES_PER_PARTITION * home.partitions(); i < tries; i++) {
            long key = Long.remainderUnsigned(
                    KeyHash.mix(mixed + i * GOLDEN), table.schema().capacity());
            if (home.partition(KeyHash.of(key)) == partition) {
                return key;
            }
        }
        return otherwise;
    }
}
