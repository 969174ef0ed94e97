package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.worker.Completion;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RPCs of one stage: at most one request to each node, with any number of items (all that concerns one participant travels in one
 * message), called together and collected with one await. A request has two header words, of which the first is the number of items.
 *
 * <p>The course is: {@link #measure} every item, {@link #begin}, then append the items with {@link #item}, {@link #call},
 * await, and read the replies from {@link #replyOffset}. Used on one coroutine; allocates nothing.
 */
public final class Calls {
    /** Bytes of a request's header: the number of items and a word that the stage chooses. */
    public static final int HEADER_BYTES = 2 * Memory.WORD_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

    private final Endpoint endpoint;
    private final BufferSlice buffer;
    private final int[] requestBytes;
    private final int[] replyBytes;
    private final long[] requestOffsets;
    private final long[] replyOffsets;
    private final long[] cursors;
    private final int[] targets;
    private int count;

    /** Calls to any of {@code nodes} nodes, with messages in {@code buffer}. */
    public Calls(Endpoint endpoint, BufferSlice buffer, int nodes) {
        this.endpoint = endpoint;
        this.buffer = buffer;
        this.requestBytes = new int[nodes];
        this.replyBytes = new int[nodes];
        this.requestOffsets = new long[nodes];
        this.replyOffsets = new long[nodes];
        this.cursors = new long[nodes];
        this.targets = new int[nodes];
    }

    /** The number of items of the request at {@code requestOffset}. */
    public static int items(Memory memory, long requestOffset) {
        return (int) memory.getLong(requestOffset);
    }

    /** The word that the stage put into the header of the request at {@code requestOffset}. */
    public static long headerWord(Memory memory, long requestOffset) {
        return memory.getLong(requestOffset + Memory.WORD_BYTES);
    }

    /** Announces an item of {@code itemBytes} bytes to {@code node}, with {@code itemReplyBytes} bytes in the reply; both whole words. */
    public void measure(int node, int itemBytes, int itemReplyBytes) {
        if (requestBytes[node] == 0) {
            targets[count++] = node;
            requestBytes[node] = HEADER_BYTES;
            replyBytes[node] = Memory.WORD_BYTES;
        }
        requestBytes[node] += itemBytes;
        replyBytes[node] += itemReplyBytes;
    }

    /** Whether nothing was announced. */
    public boolean isEmpty() {
        return count == 0;
    }

    /**
     * Lays out the messages; every header gets {@code headerWord}.
     *
     * @throws TransactionTooLarge when there is no room, or the network carries no messages of that length; the stage's messages are
     *     forgotten then
     */
    public void begin(long headerWord) {
        checkLengths();
        Memory memory = buffer.memory();
        for (int i = 0; i < count; i++) {
            int node = targets[i];
            try {
                requestOffsets[node] = buffer.allocate(requestBytes[node]);
                replyOffsets[node] = buffer.allocate(replyBytes[node]);
            } catch (TransactionTooLarge e) {
                clear();
                throw e;
            }
            cursors[node] = requestOffsets[node] + HEADER_BYTES;
            memory.putLong(requestOffsets[node], 0);
            memory.putLong(requestOffsets[node] + Memory.WORD_BYTES, headerWord);
            memory.putLong(replyOffsets[node], 0);
        }
    }

    private void checkLengths() {
        int allowed = endpoint.maxCallBytes();
        for (int i = 0; i < count; i++) {
            int needed = Math.max(requestBytes[targets[i]], replyBytes[targets[i]]);
            if (needed > allowed) {
                TransactionTooLarge tooLarge = new TransactionTooLarge(
                        "a message of the transaction to or from node " + targets[i],
                        needed,
                        allowed,
                        "access fewer keys at once, or configure a network that carries longer messages");
                clear();
                throw tooLarge;
            }
        }
    }

    /**
     * Checks, before records are locked, that the network will carry the message that drops a transaction's locks on {@code node}.
     *
     * @param bytes the message's most bytes
     * @param fewer the part of a remedy that changes the transaction
     * @param otherwise the part of a remedy that needs no such message
     * @throws TransactionTooLarge when it will not
     */
    public void checkReleasable(int node, long bytes, String fewer, String otherwise) {
        int allowed = endpoint.maxCallBytes();
        if (bytes > allowed) {
            throw new TransactionTooLarge(
                    "the message that drops a transaction's locks on node " + node,
                    bytes,
                    allowed,
                    fewer + ", configure a network that carries longer messages, or " + otherwise);
        }
    }

    /** Where the next item to {@code node}, of {@code itemBytes} bytes, is to be written. */
    public long item(int node, int itemBytes) {
        Memory memory = buffer.memory();
        long offset = cursors[node];
        cursors[node] += itemBytes;
        assert cursors[node] <= requestOffsets[node] + requestBytes[node] : "more items than were announced";
        memory.putLong(requestOffsets[node], memory.getLong(requestOffsets[node]) + 1);
        return offset;
    }

    /** Calls the handler {@code rpcId} on every node that has an item; {@code completion} gets the result of each. */
    public void call(int rpcId, Completion completion) {
        for (int i = 0; i < count; i++) {
            call(targets[i], rpcId, completion);
        }
    }

    /**
     * Calls the handler {@code rpcId} on every node that has an item, and waits for the replies. A node that replies at once is called
     * last, when the other nodes have replied, so that its locks and its reply are not old by then. If another node cannot be reached, it
     * is not called.
     *
     * @return true if all nodes have replied; otherwise {@code completion} records a node that has not
     */
    public boolean callAndAwait(int rpcId, Completion completion) {
        int last = -1;
        for (int i = 0; i < count; i++) {
            if (count > 1 && endpoint.completesAtOnce(targets[i])) {
                last = targets[i];
            } else {
                call(targets[i], rpcId, completion);
            }
        }
        boolean replied = completion.await();
        if (last < 0 || !replied) {
            return replied;
        }
        call(last, rpcId, completion);
        return completion.await();
    }

    /** Whether an item was announced to {@code node}. */
    public boolean isTarget(int node) {
        return requestBytes[node] > 0;
    }

    /** Empties the request to {@code node}, so that it can be filled, and called, again; it must not be outstanding. */
    public void restart(int node) {
        cursors[node] = requestOffsets[node] + HEADER_BYTES;
        buffer.memory().putLong(requestOffsets[node], 0);
    }

    /**
     * Calls the handler {@code rpcId} on one node that has an item; {@code completion} gets its result. A call that the network refuses by an exception
     * has failed, like one to a node that cannot be reached: calls to other nodes are outstanding, and the transaction may be decided.
     */
    public void call(int node, int rpcId, Completion completion) {
        int bytes = (int) (cursors[node] - requestOffsets[node]);
        try {
            endpoint.call(node, rpcId, requestOffsets[node], bytes, replyOffsets[node], replyBytes[node], completion);
        } catch (RuntimeException e) {
            LOG.error("event=call_refused peer={} rpc={} bytes={}", node, rpcId, bytes, e);
            completion.add();
            completion.fail(node);
        }
    }

    /** Number of nodes that were called. */
    public int targets() {
        return count;
    }

    /** A node that was called. */
    public int target(int i) {
        return targets[i];
    }

    /** Where the reply of {@code node} lies. Its first word was 0 before the call. */
    public long replyOffset(int node) {
        return replyOffsets[node];
    }

    /** Forgets the stage's messages, so that the next stage can begin. */
    public void clear() {
        for (int i = 0; i < count; i++) {
            requestBytes[targets[i]] = 0;
            replyBytes[targets[i]] = 0;
        }
        count = 0;
        assert Arrays.stream(requestBytes).allMatch(bytes -> bytes == 0);
    }
}
