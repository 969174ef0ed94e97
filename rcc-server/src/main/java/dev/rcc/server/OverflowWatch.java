package dev.rcc.server;

import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning when a partition whose primary is the node begins to use an overflow segment. One-sided inserts bypass the node's workers,
 * so it looks once a second. Its methods may be called on any thread.
 */
final class OverflowWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OverflowWatch.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Memstore memstore;
    private final BiConsumer<Long, Runnable> later;
    private final int[][] told;
    private boolean closed;

    /**
     * A watch of a node's copies, which has not been started.
     *
     * @param later runs a task after so many nanoseconds
     */
    OverflowWatch(Memstore memstore, BiConsumer<Long, Runnable> later) {
        this.memstore = memstore;
        this.later = later;
        this.told =
                new int[memstore.catalog().tables()][memstore.catalog().home().partitions()];
    }

    void start() {
        for (int id = 0; id < told.length; id++) {
            if (memstore.catalog().table(id).layout().segments() > 0) {
                later.accept(LOOK_NANOS, this::look);
                return;
            }
        }
    }

    private synchronized void look() {
        if (closed) {
            return;
        }
        for (int id = 0; id < told.length; id++) {
            for (int partition = 0; partition < told[id].length; partition++) {
                if (memstore.catalog().placement().primary(partition) == memstore.node()) {
                    look(memstore.partition(id, partition));
                }
            }
        }
        later.accept(LOOK_NANOS, this::look);
    }

    private void look(TablePartition copy) {
        Table table = copy.table();
        int depth = copy.depth();
        if (depth > told[table.id()][copy.partition()]) {
            told[table.id()][copy.partition()] = depth;
            LOG.warn(
                    "event=table_overflows node={} table={} partition={} segment={} segments={} capacity={}: keys go to an overflow segment, and lookups"
                            + " of those cost more; when the last segment is full, so is the table",
                    memstore.node(),
                    table,
                    copy.partition(),
                    depth,
                    table.layout().segments(),
                    table.schema().capacity());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
