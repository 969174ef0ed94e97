package dev.rcc.server.node;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.OrderedIndexLoader;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Puts records into tables on all replicas, in the same slots, before the workers start; used by one thread. It fills the
 * nodes of this process: where nodes have a process each, every process loads everything, in the same order, and keeps what
 * its node holds.
 */
public final class Loader {
    /** The version of loaded records; smaller than that of any transaction's. */
    private static final long LOADED_VERSION = 1;

    private final Catalog catalog;
    private final List<Memstore> memstores;
    private final Memory identity = Memory.allocate(Arena.ofAuto(), Memory.WORD_BYTES + TableSchema.MAX_KEY_BYTES);
    private final Memory record = Memory.allocate(Arena.ofAuto(), TableSchema.MAX_RECORD_BYTES);
    /** The keys of ordered tables, by table: those of other processes' nodes too. */
    private final KeyList[] keys;

    private boolean isRefusing;

    Loader(Catalog catalog, List<Memstore> memstores) {
        this.catalog = catalog;
        this.memstores = List.copyOf(memstores);
        this.keys = new KeyList[catalog.userTables()];
        Arrays.setAll(keys, id -> new KeyList(catalog.table(id).schema().keyKind()));
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return catalog;
    }

    /**
     * Adds a record with a 64-bit key.
     *
     * @param fill writes the record's bytes, which start at offset 0 and are zero
     * @throws IllegalArgumentException when the key is there already
     * @throws dev.rcc.core.store.TableFull when there is no room
     */
    public void load(Table table, long key, Consumer<Memory> fill) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
        put(table, table.keyHash(key), fill);
        if (table.isOrdered()) {
            keys[table.id()].add(key);
        }
    }

    /** Adds a record with a byte-string key, as {@link #load(Table, long, Consumer)}. */
    public void load(Table table, byte[] key, Consumer<Memory> fill) {
        table.layout().tuple().putIdentity(identity, 0, key);
        put(table, table.keyHash(identity, Memory.WORD_BYTES, key.length), fill);
        if (table.isOrdered()) {
            keys[table.id()].add(key.clone());
        }
    }

    /** Takes nothing from now on: the data is there. */
    public void refuse() {
        isRefusing = true;
    }

    /** Builds the ordered indexes of what was loaded; once, at the end. */
    public void buildIndexes() {
        OrderedIndexLoader.load(catalog, memstores, id -> keys[id], LOADED_VERSION);
    }

    private void put(Table table, long keyHash, Consumer<Memory> fill) {
        if (isRefusing) {
            throw new IllegalStateException("the cluster has recovered its data: there is nothing to be loaded");
        }
        int partition = catalog.placement().partition(keyHash);
        boolean isFilled = false;
        for (Memstore memstore : memstores) {
            if (catalog.placement().holds(memstore.node(), partition)) {
                if (!isFilled) {
                    record.zero(0, table.layout().tuple().recordBytes());
                    fill.accept(record);
                    isFilled = true;
                }
                memstore.partition(table.id(), partition).load(keyHash, identity, 0, LOADED_VERSION, record, 0);
            }
        }
    }
}
