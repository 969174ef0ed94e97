package dev.rcc.server.recovery;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;

/** Takes copies of partitions from nodes that hold them, by one-sided READs as large as its buffer, while no transaction runs. */
final class PartitionCopy {
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Completion completion;
    private final long buffer;
    private final int bufferBytes;

    /**
     * Copies on {@code coroutine}.
     *
     * @param buffer the offset in the buffers region that bytes are read to
     */
    PartitionCopy(WorkerContext context, Coroutine coroutine, long buffer, int bufferBytes) {
        this.endpoint = context.endpoint();
        this.buffers = context.buffers();
        this.completion = new Completion(coroutine);
        this.buffer = buffer;
        this.bufferBytes = bufferBytes;
    }

    /**
     * Fills a copy with the contents of another node's copy, as far as that copy is in use.
     *
     * @throws PeerUnreachable when that node cannot be reached; the copy is incomplete then
     */
    void take(TablePartition copy, int node) {
        TableLayout layout = copy.table().layout();
        int before = copy.depth();
        take(copy, node, 0, layout.regionBytes(0)); // with the marks of the segments that are in use
        int depth = copy.depth();
        take(copy, node, layout.regionBytes(0), layout.regionBytes(depth));
        if (before > depth) {
            copy.memory().zero(layout.regionBytes(depth), layout.regionBytes(before) - layout.regionBytes(depth));
        }
    }

    private void take(TablePartition copy, int node, long from, long end) {
        Memory memory = copy.memory();
        for (long offset = from; offset < end; offset += bufferBytes) {
            int bytes = (int) Math.min(bufferBytes, end - offset);
            endpoint.batch(node)
                    .read(copy.table().address(node, copy.partition(), offset), bytes, buffer)
                    .post(completion);
            if (!completion.await()) {
                throw new PeerUnreachable(node);
            }
            buffers.copy(buffer, memory, offset, bytes);
        }
    }
}
