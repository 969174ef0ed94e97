package dev.rcc.bench.verify.clients;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.wire.CommitId;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.ClusterInspection;
import dev.rcc.server.gateway.OutcomeRecords;
import dev.rcc.server.node.Loader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The data of simulated clients: few keys of a hashed and an ordered table, and the outcomes of commits, if the cluster keeps them. No
 * coroutine of the cluster is a client: all belong to the gateways.
 *
 * @param outcomeSlots number of client slots in the table of outcomes; 0 if each gateway keeps its own outcomes
 */
public record ClientTables(int outcomeSlots) implements Workload {
    /** The workload's name. */
    public static final String NAME = "clients";

    static final int HASHED = 0;
    static final int ORDERED = 1;
    static final int USER_TABLES = 2;

    static final int KEYS = 8;

    static final Table<Long, byte[]> HASHED_TABLE =
            new Table<>("hashed", KeyType.LONG, Codec.ofBytes(ClientRecord.BYTES));
    static final Table<Long, byte[]> ORDERED_TABLE =
            new Table<>("ordered", KeyType.LONG, Codec.ofBytes(ClientRecord.BYTES));

    private static final int OUTCOMES = 2;
    private static final int CAPACITY = 64;
    /** The size of the smallest index nodes, so that they split and merge. */
    private static final int NODE_BYTES = IndexNodeLayout.minNodeBytes(KeyKind.LONG, Long.BYTES);

    private static final int MAX_ACCESSES = 128;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("outcome-slots", Integer.toString(outcomeSlots));
    }

    @Override
    public String promise() {
        return "each commit takes effect at most once, with the outcome that its client received";
    }

    @Override
    public List<TableSchema> tables(int nodes) {
        List<TableSchema> tables = new ArrayList<>();
        tables.add(TableSchema.ofLongKeys(HASHED, HASHED_TABLE.name(), ClientRecord.BYTES, CAPACITY));
        tables.add(TableSchema.ofLongKeys(ORDERED, ORDERED_TABLE.name(), ClientRecord.BYTES, CAPACITY)
                .ordered(NODE_BYTES));
        if (outcomeSlots > 0) {
            tables.add(OutcomeRecords.schema(OUTCOMES, outcomeSlots));
        }
        return tables;
    }

    @Override
    public int maxAccesses() {
        return MAX_ACCESSES;
    }

    /** Every other key has a record at the start. */
    @Override
    public void load(Loader loader) {
        for (int table = 0; table < USER_TABLES; table++) {
            for (long key = 0; key < KEYS; key += 2) {
                ClientRecord record = new ClientRecord(CommitId.NONE, 0, key);
                loader.load(loader.catalog().table(table), key, record::write);
            }
        }
    }

    @Override
    public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
        return List.of();
    }

    /** Checks nothing: the promise depends on the replies that clients received, see {@link SimulatedClients#violations}. */
    @Override
    public List<String> check(Catalog catalog, ClusterInspection inspection, List<? extends Account> clients) {
        return List.of();
    }
}
