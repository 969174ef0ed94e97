package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.worker.Worker;
import java.util.function.Consumer;

/**
 * Counts a table's records in the partitions whose primary is this node: a piece in each turn of a worker, so that no transaction waits for it. A
 * record that is inserted or deleted meanwhile is counted or not. Only one partition of a replicated table is counted, as all have the same records.
 * Used on its worker.
 */
final class TableCount implements Runnable {
    private static final int PIECE_SLOTS = 4_096;

    private final GatewayNode node;
    private final Worker worker;
    private final Table table;
    private final Consumer<Message.Usage> listener;
    private int partition = -1;
    private TablePartition copy;
    private long slot;
    private long records;
    private long capacity;
    private long overflow;
    private long overflowCapacity;

    TableCount(GatewayNode node, Worker worker, Table table, Consumer<Message.Usage> listener) {
        this.node = node;
        this.worker = worker;
        this.table = table;
        this.listener = listener;
    }

    @Override
    public void run() {
        if (copy == null && !open()) {
            listener.accept(new Message.Usage(records, capacity, overflow, overflowCapacity));
            return;
        }
        TableLayout layout = table.layout();
        long slots = copy.slots();
        long end = Math.min(slot + PIECE_SLOTS, slots);
        for (; slot < end; slot++) {
            if (IndexEntry.isLive(copy.memory().getAcquire(layout.entryOffset(slot)))) {
                records++;
                overflow += layout.segmentOfSlot(slot) > 0 ? 1 : 0;
            }
        }
        if (slot == slots) {
            copy = null;
        }
        worker.execute(this);
    }

    /** Opens the next partition whose primary is this node; false if there is none. */
    private boolean open() {
        int partitions = table.isReplicated() ? 1 : node.catalog().placement().partitions();
        for (partition++; partition < partitions; partition++) {
            if (node.catalog().placement().primary(partition) == node.node()) {
                copy = node.copy(table, partition);
                slot = 0;
                capacity += table.schema().capacity();
                overflowCapacity += table.schema().growth() * table.schema().capacity();
                return true;
            }
        }
        return false;
    }
}
