package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Digests of the copies that nodes have recovered. All backups of a partition have replayed the same transactions, so their copies are
 * the same: versions, keys and records. Where they are not, some log or snapshot has lost data that no other one could replace.
 */
public final class CopyDigests {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private CopyDigests() {}

    /**
     * The digests of a node's recovered copies.
     *
     * @param logEnd the end of its log: file and offset
     * @param partitions digests of its copies, by partition
     */
    public record Digests(String logEnd, Map<Integer, Long> partitions) {
        /** Takes a copy of the map. */
        public Digests {
            partitions = Map.copyOf(partitions);
        }
    }

    /** The digests of the partitions that a node backs up. */
    static Map<Integer, Long> of(Memstore memstore) {
        Placement placement = memstore.catalog().placement();
        Map<Integer, Long> digests = new TreeMap<>();
        for (int partition = 0; partition < placement.partitions(); partition++) {
            if (placement.isBackup(memstore.node(), partition)) {
                long digest = 0;
                for (int table = 0; table < memstore.catalog().tables(); table++) {
                    digest = add(digest, memstore.partition(table, partition));
                }
                digests.put(partition, digest);
            }
        }
        return digests;
    }

    private static long add(long before, TablePartition copy) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        long digest = before;
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            long tuple = layout.tupleOffset(slot);
            long version = copy.memory().getLong(tuple + t.versionOffset());
            if (version != 0) {
                digest = add(add(digest, slot), version);
                if (TupleLayout.isLive(copy.memory().getLong(tuple + t.identityOffset()))) {
                    digest = add(digest, copy.memory(), tuple + t.identityOffset(), t.identityBytes());
                    digest = add(digest, copy.memory(), tuple + t.recordOffset(), t.recordBytes());
                }
            }
        }
        return digest;
    }

    private static long add(long before, Memory memory, long offset, int bytes) {
        long digest = before;
        for (int at = 0; at < bytes; at += Memory.WORD_BYTES) {
            digest = add(digest, memory.getLong(offset + at));
        }
        return digest;
    }

    private static long add(long digest, long word) {
        return Long.rotateLeft((digest ^ word) * FACTOR, 29);
    }

    /**
     * Checks that all backups of each partition have recovered the same data.
     *
     * @param digests by node
     * @throws WalDamaged when they have not
     */
    public static void check(Map<Integer, Digests> digests, Placement placement) {
        List<String> different = new ArrayList<>();
        for (int partition = 0; partition < placement.partitions(); partition++) {
            for (int i = 1; i < placement.backups(partition); i++) {
                int first = placement.backup(partition, 0);
                int other = placement.backup(partition, i);
                Long expected = digests.get(first).partitions().get(partition);
                if (!expected.equals(digests.get(other).partitions().get(partition))) {
                    different.add("partition " + partition + " at nodes " + first + " and " + other);
                }
            }
        }
        if (!different.isEmpty()) {
            List<String> ends = new ArrayList<>();
            digests.forEach((node, digest) -> ends.add("that of node " + node + " at " + digest.logEnd()));
            throw new WalDamaged(
                    "backups have recovered different data, so a log or snapshot has lost data that no other log has: "
                            + String.join(", ", different) + "; the logs end here: " + String.join(", ", ends));
        }
    }
}
