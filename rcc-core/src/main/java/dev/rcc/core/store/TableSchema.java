package dev.rcc.core.store;

import java.util.List;
import java.util.Objects;

/**
 * The definition of a table. The same on every node.
 *
 * @param id the table's number, from 0 and dense within a catalog
 * @param name the table's name for people
 * @param keyKind the kind of its keys
 * @param keyBytes longest key in bytes: 8 for {@link KeyKind#LONG}, 1 to {@link #MAX_KEY_BYTES} for {@link KeyKind#BYTES}
 * @param recordBytes a record's fixed size in bytes, 1 to {@link #MAX_RECORD_BYTES}
 * @param capacity tuples that each partition is sized for, at least 1
 * @param growth how many times its capacity a partition takes in addition, in overflow segments; 0 for none, to {@link #MAX_GROWTH}
 * @param indexNodeBytes 0, or for an {@link #ordered} table the size of its index's nodes
 * @param distribution how its records are distributed over the partitions
 * @param index the definition of the secondary index that it is, or null
 */
public record TableSchema(
        int id,
        String name,
        KeyKind keyKind,
        int keyBytes,
        int recordBytes,
        long capacity,
        int growth,
        int indexNodeBytes,
        Distribution distribution,
        IndexSchema index) {
    /** Longest key of any table, in bytes. */
    public static final int MAX_KEY_BYTES = 1024;
    /** Largest record of any table, in bytes. */
    public static final int MAX_RECORD_BYTES = 16 * 1024;
    /** How many times its capacity a partition can take in addition, at most. */
    public static final int MAX_GROWTH = (1 << TableLayout.MAX_SEGMENTS) - 1;
    /** Most tables of a catalog. */
    public static final int MAX_TABLES = 64;

    /** Checks the limits. */
    public TableSchema {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(keyKind, "keyKind");
        Objects.requireNonNull(distribution, "distribution");
        check(name, "id", id, 0, MAX_TABLES - 1);
        check(name, "keyBytes", keyBytes, keyKind == KeyKind.LONG ? 8 : 1, keyKind == KeyKind.LONG ? 8 : MAX_KEY_BYTES);
        check(name, "recordBytes", recordBytes, 1, MAX_RECORD_BYTES);
        check(name, "capacity", capacity, 1, 1L << 36);
        check(name, "growth", growth, 0, MAX_GROWTH);
        if (distribution.isByPrefix()) {
            int most = distribution.maxPrefixBytes(keyKind, keyBytes);
            check(name, "the bytes of a key that decide the partition", distribution.prefixBytes(), 1, most);
        }
        if (indexNodeBytes != 0 && distribution.isReplicated()) {
            throw new IllegalArgumentException("table " + name + ": a replicated table cannot be ordered");
        }
        if (indexNodeBytes != 0) {
            if (keyKind == KeyKind.BYTES && keyBytes > IndexNodeLayout.maxKeyBytes()) {
                throw new IllegalArgumentException("table " + name + ": an ordered table has keys of at most "
                        + IndexNodeLayout.maxKeyBytes() + " bytes, so that an index node holds enough of them, got "
                        + keyBytes);
            }
            check(
                    name,
                    "indexNodeBytes",
                    indexNodeBytes,
                    IndexNodeLayout.minNodeBytes(keyKind, keyBytes),
                    IndexNodeLayout.MAX_NODE_BYTES);
        }
    }

    /** A table without an ordered index. */
    public TableSchema(int id, String name, KeyKind keyKind, int keyBytes, int recordBytes, long capacity) {
        this(id, name, keyKind, keyBytes, recordBytes, capacity, 0, 0, Distribution.BY_KEY, null);
    }

    /** A table with 64-bit keys. */
    public static TableSchema ofLongKeys(int id, String name, int recordBytes, long capacity) {
        return new TableSchema(id, name, KeyKind.LONG, Long.BYTES, recordBytes, capacity);
    }

    /** A table with byte-string keys of at most {@code keyBytes} bytes. */
    public static TableSchema ofByteKeys(int id, String name, int keyBytes, int recordBytes, long capacity) {
        return new TableSchema(id, name, KeyKind.BYTES, keyBytes, recordBytes, capacity);
    }

    /**
     * A secondary index of another table, which the store keeps consistent with it: a table that is ordered by byte strings, whose records are the
     * base's keys, and which grows as the base does. It can be distributed as any table, so that entries lie with their records.
     *
     * @param base the table that is indexed, which has a smaller number
     * @param unique whether a record that has the same parts as another one is refused
     * @param parts the parts that the entries order by, one after the other
     * @throws IllegalArgumentException when the base has no such parts, or cannot be indexed
     */
    public static TableSchema index(
            int id, String name, TableSchema base, boolean unique, List<IndexSchema.Part> parts) {
        IndexSchema index = new IndexSchema(base.id(), unique, parts);
        index.check(name, base);
        return new TableSchema(
                        id,
                        name,
                        KeyKind.BYTES,
                        index.keyBytes(base),
                        IndexSchema.recordBytes(base),
                        base.capacity(),
                        base.growth(),
                        0,
                        Distribution.BY_KEY,
                        index)
                .ordered();
    }

    /** The same table with an ordered index over its keys, for range scans; keys order as in {@link KeySlot}. */
    public TableSchema ordered() {
        return ordered(IndexNodeLayout.defaultNodeBytes(keyKind, keyBytes));
    }

    /** The same table with an ordered index whose nodes have {@code nodeBytes} bytes. */
    public TableSchema ordered(int nodeBytes) {
        return new TableSchema(
                id, name, keyKind, keyBytes, recordBytes, capacity, growth, nodeBytes, distribution, index);
    }

    /** The same table, whose records are in one partition if their keys have the same first bytes; for a 64-bit key, the most significant ones. */
    public TableSchema placedBy(int prefixBytes) {
        return distributed(new Distribution(Distribution.Rule.PREFIX, prefixBytes));
    }

    /** The same table, placed as by {@link #placedBy}, but with prefixes as big-endian numbers that take the partitions in turn. */
    public TableSchema modulo(int prefixBytes) {
        return distributed(new Distribution(Distribution.Rule.MODULO, prefixBytes));
    }

    /** The same table with a copy of each record in every partition, so that each node reads its own; a write goes to every copy. */
    public TableSchema replicated() {
        return distributed(Distribution.REPLICATED);
    }

    /** The same table with another distribution. */
    public TableSchema distributed(Distribution newDistribution) {
        return new TableSchema(
                id, name, keyKind, keyBytes, recordBytes, capacity, growth, indexNodeBytes, newDistribution, index);
    }

    /** The same table with partitions that take {@code times} times their capacity in addition. */
    public TableSchema growing(int times) {
        return new TableSchema(
                id, name, keyKind, keyBytes, recordBytes, capacity, times, indexNodeBytes, distribution, index);
    }

    /** Whether the table is a secondary index of another table. */
    public boolean isIndex() {
        return index != null;
    }

    /** Whether the table has an ordered index. */
    public boolean isOrdered() {
        return indexNodeBytes != 0;
    }

    private static void check(String table, String what, long given, long min, long max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(
                    "table " + table + ": " + what + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
