package dev.rcc.server.node;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.CopyLoader;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.OrderedIndexLoader;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Puts records into tables on all replicas, in the same slots, before the workers start. Used by one thread, except where it loads
 * {@linkplain #inParallel in parallel}. It fills the nodes of this process. Where nodes have a process each, every process loads all records, in the
 * same order, and keeps the records that its node holds.
 */
public final class Loader {
    /** The version of loaded records; smaller than the version of any transaction's. */
    private static final long LOADED_VERSION = 1;
    /** After so many records, progress is reported. */
    private static final int RECORDS_OF_A_STEP = 1 << 14;

    private final Catalog catalog;
    private final List<Memstore> memstores;
    private final CopyLoader copies;
    private final Memory identity = Memory.allocate(Arena.ofAuto(), Memory.WORD_BYTES + TableSchema.MAX_KEY_BYTES);
    private final Memory record = Memory.allocate(Arena.ofAuto(), TableSchema.MAX_RECORD_BYTES);
    private final Memory entryIdentity = Memory.allocate(Arena.ofAuto(), Memory.WORD_BYTES + TableSchema.MAX_KEY_BYTES);
    private final Memory entryRecord = Memory.allocate(Arena.ofAuto(), Memory.WORD_BYTES + TableSchema.MAX_KEY_BYTES);
    /** The keys of ordered tables, by table, including keys of other processes' nodes. */
    private final KeyList[] keys;

    /** The number of records that all threads have loaded. */
    private final AtomicLong loaded;
    /** By table and partition, the loader that loads it, of the loaders that load in parallel; null if this is the only loader. */
    private final AtomicReferenceArray<Loader> owners;

    private LongConsumer progress = rows -> {};
    private boolean isRefusing;

    Loader(Catalog catalog, List<Memstore> memstores) {
        this(catalog, memstores, new AtomicLong(), null);
    }

    private Loader(Catalog catalog, List<Memstore> memstores, AtomicLong loaded, AtomicReferenceArray<Loader> owners) {
        this.loaded = loaded;
        this.owners = owners;
        this.catalog = catalog;
        this.memstores = List.copyOf(memstores);
        this.copies = new CopyLoader(catalog, memstores, LOADED_VERSION);
        this.keys = new KeyList[catalog.userTables()];
        Arrays.setAll(keys, id -> new KeyList(catalog.table(id).schema().keyKind()));
    }

    /** Sets the listener that is called now and then, on a thread that loads, with the number of records that have been given to load. */
    public void onProgress(LongConsumer listener) {
        progress = listener;
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return catalog;
    }

    /**
     * Adds a record with a 64-bit key, and its entries in secondary indexes. A record of a replicated table is added to every partition.
     *
     * @param fill writes the record's bytes, which start at offset 0 and are zero
     * @throws IllegalArgumentException when the key is not of the table's kind or length, or exists already, or a unique index has the entry of
     *     another record; or when the table is an index itself
     * @throws dev.rcc.core.store.TableFull when there is no room
     */
    public void load(Table table, long key, Consumer<Memory> fill) {
        table.checkKey(key);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
        if (table.isReplicated()) {
            putEverywhere(table, fill);
            return;
        }
        put(table, table.keyHash(key), fill);
        if (table.isOrdered()) {
            keys[table.id()].add(key);
        }
    }

    /** Adds a record with a byte-string key, as {@link #load(Table, long, Consumer)}. */
    public void load(Table table, byte[] key, Consumer<Memory> fill) {
        table.checkKey(key);
        table.layout().tuple().putIdentity(identity, 0, key);
        if (table.isReplicated()) {
            putEverywhere(table, fill);
            return;
        }
        put(table, table.keyHash(identity, Memory.WORD_BYTES, key.length), fill);
        if (table.isOrdered()) {
            keys[table.id()].add(key.clone());
        }
    }

    /**
     * Runs tasks that load at the same time, each with a loader of its own, on at most as many threads as there are processors. No two tasks may load
     * into the same partition of a table or of an index. So index entries must lie in the partitions of their records.
     *
     * @throws IllegalStateException when two tasks do
     * @throws RuntimeException the exception that a task has thrown
     */
    public void inParallel(List<Consumer<Loader>> tasks) {
        AtomicReferenceArray<Loader> owners =
                new AtomicReferenceArray<>(keys.length * catalog.placement().partitions());
        List<Loader> loaders = tasks.stream().map(task -> child(owners)).toList();
        int processors = Runtime.getRuntime().availableProcessors();
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.clamp(tasks.size(), 1, processors))) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < tasks.size(); i++) {
                Consumer<Loader> task = tasks.get(i);
                Loader loader = loaders.get(i);
                running.add(threads.submit(() -> task.accept(loader)));
            }
            running.forEach(Loader::await);
        }
        for (Loader loader : loaders) {
            for (int table = 0; table < keys.length; table++) {
                keys[table].addAll(loader.keys[table]);
            }
        }
    }

    private Loader child(AtomicReferenceArray<Loader> owners) {
        Loader child = new Loader(catalog, memstores, loaded, owners);
        child.progress = progress;
        child.isRefusing = isRefusing;
        return child;
    }

    private static void await(Future<?> task) {
        try {
            task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while data was loaded", e);
        }
    }

    /** Refuses all records from now on: the data comes from the nodes' disks. */
    public void refuse() {
        isRefusing = true;
    }

    /** Builds the ordered indexes of the loaded records; once, at the end. */
    public void buildIndexes() {
        OrderedIndexLoader.load(catalog, copies, id -> keys[id]);
    }

    private void put(Table table, long keyHash, Consumer<Memory> fill) {
        checkTakes();
        if (table.isIndex()) {
            throw new IllegalArgumentException(table.refusalToWrite());
        }
        int partition = catalog.placement().partition(keyHash);
        if (table.isIndexed() || isHere(partition)) {
            fill(table, fill);
            put(table, partition, keyHash, identity, record);
        }
        for (Table index : table.indexes()) {
            putEntry(index);
        }
        tellProgress();
    }

    private void putEverywhere(Table table, Consumer<Memory> fill) {
        checkTakes();
        fill(table, fill);
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            put(table, partition, table.keyHashOfIdentity(partition, identity, 0), identity, record);
        }
        tellProgress();
    }

    private void checkTakes() {
        if (isRefusing) {
            throw new IllegalStateException("the data comes from the nodes' disks: there is nothing to be loaded");
        }
    }

    private void fill(Table table, Consumer<Memory> fill) {
        record.zero(0, table.layout().tuple().recordBytes());
        fill.accept(record);
    }

    private boolean isHere(int partition) {
        return memstores.stream().anyMatch(memstore -> catalog.placement().holds(memstore.node(), partition));
    }

    private void put(Table table, int partition, long keyHash, Memory key, Memory content) {
        if (owners != null) {
            own(table, partition);
        }
        copies.load(table, partition, keyHash, key, content);
    }

    private void own(Table table, int partition) {
        int place = table.id() * catalog.placement().partitions() + partition;
        Loader owner = owners.compareAndExchange(place, null, this);
        if (owner != null && owner != this) {
            throw new IllegalStateException("two tasks load into partition " + partition + " of table " + table
                    + " at the same time: load it by one, or distribute it so that each has its own");
        }
    }

    private void tellProgress() {
        long count = loaded.incrementAndGet();
        if (count % RECORDS_OF_A_STEP == 0) {
            progress.accept(count);
        }
    }

    /** Adds the entry of the record that was added last. */
    private void putEntry(Table index) {
        index.secondaryLayout().putIdentity(identity, 0, record, 0, entryIdentity, 0);
        index.secondaryLayout().putRecord(identity, 0, entryRecord, 0);
        long keyHash = index.keyHashOfIdentity(entryIdentity, 0);
        put(index, catalog.placement().partition(keyHash), keyHash, entryIdentity, entryRecord);
        byte[] key = new byte[TupleLayout.keyLength(entryIdentity.getLong(0))];
        entryIdentity.getBytes(Memory.WORD_BYTES, key, 0, key.length);
        keys[index.id()].add(key);
    }
}
