package dev.rcc.server.simulation;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Slots of a simulated cluster's primaries whose tuple a one-sided delete has removed and unlocked, but whose index entry it has not freed
 * yet. They are found in the memory between any two events.
 */
public final class UnfreedSlots {
    private final NodeGroup group;
    private final Protocol protocol;

    /** The slots of a cluster all of whose nodes are in {@code group}. */
    public UnfreedSlots(NodeGroup group, Protocol protocol) {
        this.group = group;
        this.protocol = protocol;
    }

    /**
     * Whether there is such a slot on a primary that does not log the deletes of a coordinator on {@code deleter}. The slot's version, the
     * commit timestamp of the delete, must be as wanted.
     */
    boolean isAny(int deleter, LongPredicate version) {
        Catalog catalog = group.catalog();
        Placement placement = catalog.placement();
        return IntStream.range(0, placement.partitions())
                .filter(partition ->
                        !group.isStopped(placement.primary(partition)) && !placement.logsAtPrimary(deleter, partition))
                .anyMatch(partition ->
                        IntStream.range(0, catalog.tables()).anyMatch(table -> isAny(table, partition, version)));
    }

    private boolean isAny(int table, int partition, LongPredicate version) {
        TableLayout layout = group.catalog().table(table).layout();
        Node primary = group.nodes().get(group.catalog().placement().primary(partition));
        TablePartition copy = primary.memstore().partition(table, partition);
        Memory memory = copy.memory();
        return LongStream.range(0, copy.slots())
                .anyMatch(slot -> isUnfreed(layout, memory, slot)
                        && version.test(memory.getLong(
                                layout.tupleOffset(slot) + layout.tuple().versionOffset())));
    }

    private boolean isUnfreed(TableLayout layout, Memory copy, long slot) {
        long tuple = layout.tupleOffset(slot);
        return IndexEntry.isLive(copy.getLong(layout.entryOffset(slot)))
                && !TupleLayout.isLive(copy.getLong(tuple + layout.tuple().identityOffset()))
                && !protocol.isLocked(copy, tuple);
    }
}
