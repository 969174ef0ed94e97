package dev.rcc.server.recovery;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
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
     * @param buffer where in the buffers region bytes are read to
     */
    PartitionCopy(WorkerContext context, Coroutine coroutine, long buffer, int bufferBytes) {
        this.endpoint = context.endpoint();
        this.buffers = context.buffers();
        this.completion = new Completion(coroutine);
        this.buffer = buffer;
        this.bufferBytes = bufferBytes;
    }

    /**
     * Fills a copy with the contents of another node's.
     *
     * @throws PeerUnreachable when that node is gone; the copy is incomplete then
     */
    void take(TablePartition copy, int node) {
        Memory memory = copy.memory();
        for (long offset = 0; offset < memory.size(); offset += bufferBytes) {
            int bytes = (int) Math.min(bufferBytes, memory.size() - offset);
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
