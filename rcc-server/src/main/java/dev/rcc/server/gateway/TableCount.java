package dev.rcc.server.gateway;

import dev.rcc.client.wire.Message;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.worker.Worker;
import java.util.function.Consumer;

/**
 * Counts a table's records in the partitions whose primary is this node: a piece in each turn of a worker, so that no transaction waits for it. What
 * is inserted or deleted meanwhile is counted or not. Of a replicated table one partition counts, as all have the same records. Used on its worker.
 */
final class TableCount implements Runnable {
    private static final int PIECE_SLOTS = 4_096;

    private final GatewayNode node;
    private final Worker worker;
    private final Table table;
    private final Consumer<Message.Usage> listener;
    private int partition = -1;
    private Memory memory;
    private long slot;
    private long records;
    private long capacity;

    TableCount(GatewayNode node, Worker worker, Table table, Consumer<Message.Usage> listener) {
        this.node = node;
        this.worker = worker;
        this.table = table;
        this.listener = listener;
    }

    @Override
    public void run() {
        if (memory == null && !open()) {
            listener.accept(new Message.Usage(records, capacity));
            return;
        }
        TableLayout layout = table.layout();
        long end = Math.min(slot + PIECE_SLOTS, layout.slots());
        for (; slot < end; slot++) {
            records += IndexEntry.isLive(memory.getAcquire(layout.entryOffset(slot))) ? 1 : 0;
        }
        if (slot == layout.slots()) {
            memory = null;
        }
        worker.execute(this);
    }

    /** The next partition that is this node's, if there is one. */
    private boolean open() {
        int partitions = table.isReplicated() ? 1 : node.catalog().placement().partitions();
        for (partition++; partition < partitions; partition++) {
            if (node.catalog().placement().primary(partition) == node.node()) {
                memory = node.copy(table, partition);
                slot = 0;
                capacity += table.schema().capacity();
                return true;
            }
        }
        return false;
    }
}
