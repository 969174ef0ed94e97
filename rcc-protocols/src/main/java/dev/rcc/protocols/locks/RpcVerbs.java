package dev.rcc.protocols.locks;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.TransactionTooLarge;
import dev.rcc.core.worker.Completion;
import java.util.Arrays;

/** Requests to words by RPC: one call to each node, which {@link WordRequests} serves. */
final class RpcVerbs extends LockVerbs {
    private static final int INITIAL_ITEMS = 4;
    /** Bytes of a message of few items and of its reply, which are kept for each node. */
    static final int NODE_BYTES = bytes(INITIAL_ITEMS);

    /** Most requests to a lock in one round trip: a FETCH_ADD and a READ, or two writes. */
    private static final int ITEMS_PER_LOCK = 2;

    private final Endpoint endpoint;
    private final int rpcId;
    private final BufferSlice buffer;
    private final Memory memory;
    private final Completion completion;
    private final LockCounters counters;
    /** By node. */
    private final Message[] messages;

    private final int[] targets;
    private int posted;
    private int count;

    /** The request to one node, and its reply. */
    private static final class Message {
        private long request;
        private long reply;
        private int capacity;
        private int items;
        /** How many locks of the round are at the node. */
        private int locks;
        /** By item: the destination of its result, and the result's number of words. */
        private long[] results = new long[INITIAL_ITEMS];

        private int[] words = new int[INITIAL_ITEMS];
    }

    RpcVerbs(LockSite site, Completion completion, BufferSlice buffer) {
        super(buffer.memory(), site.counters());
        this.endpoint = site.endpoint();
        this.rpcId = site.wordsRpc();
        this.buffer = buffer;
        this.memory = buffer.memory();
        this.completion = completion;
        this.counters = site.counters();
        this.messages = new Message[site.nodes()];
        this.targets = new int[site.nodes()];
    }

    @Override
    public void reserve(long address) {
        int node = RemoteAddress.node(address);
        Message message = message(node);
        int items = ITEMS_PER_LOCK * (message.locks + 1);
        int bytes = WordRequests.HEADER_BYTES + items * WordRequests.ITEM_BYTES;
        if (bytes > endpoint.maxCallBytes()) {
            throw new TransactionTooLarge(
                    "a message of the round of locks to node " + node,
                    bytes,
                    endpoint.maxCallBytes(),
                    "lock fewer at once, or configure a network that carries longer messages");
        }
        while (items > message.capacity) {
            grow(message);
        }
        message.locks++;
    }

    @Override
    public void endReservations() {
        for (Message message : messages) {
            if (message != null) {
                message.locks = 0;
            }
        }
    }

    private Message message(int node) {
        if (messages[node] == null) {
            messages[node] = new Message();
        }
        return messages[node];
    }

    @Override
    void append(int opcode, long address, long first, long second, long result) {
        int node = RemoteAddress.node(address);
        Message message = message(node);
        if (message.items == message.capacity) {
            grow(message);
        }
        if (message.items == 0) {
            targets[count++] = node;
        }
        long item = message.request + WordRequests.HEADER_BYTES + (long) message.items * WordRequests.ITEM_BYTES;
        memory.putLong(item, opcode);
        memory.putLong(item + Memory.WORD_BYTES, address);
        memory.putLong(item + 2L * Memory.WORD_BYTES, first);
        memory.putLong(item + 3L * Memory.WORD_BYTES, second);
        message.results[message.items] = result;
        message.words[message.items] = resultWords(opcode, first);
        message.items++;
    }

    private static int resultWords(int opcode, long first) {
        return switch (opcode) {
            case WordRequests.READ -> (int) first;
            case WordRequests.WRITE -> 0;
            default -> 1;
        };
    }

    private static int bytes(int items) {
        return WordRequests.HEADER_BYTES + items * (WordRequests.ITEM_BYTES + WordRequests.REPLY_BYTES);
    }

    /** The smaller room is not handed out again: rooms double, so no more is lost than is used. */
    private void grow(Message message) {
        int capacity = Math.max(INITIAL_ITEMS, 2 * message.capacity);
        int requestBytes = WordRequests.HEADER_BYTES + capacity * WordRequests.ITEM_BYTES;
        long request = buffer.keep(bytes(capacity));
        memory.copy(
                message.request,
                memory,
                request,
                message.items == 0 ? 0 : WordRequests.HEADER_BYTES + (long) message.items * WordRequests.ITEM_BYTES);
        message.request = request;
        message.reply = request + requestBytes;
        message.capacity = capacity;
        message.results = Arrays.copyOf(message.results, capacity);
        message.words = Arrays.copyOf(message.words, capacity);
    }

    @Override
    public void post() {
        for (; posted < count; posted++) {
            int node = targets[posted];
            Message message = messages[node];
            memory.putLong(message.request, message.items);
            counters.messages += 2;
            endpoint.call(
                    node,
                    rpcId,
                    message.request,
                    WordRequests.HEADER_BYTES + message.items * WordRequests.ITEM_BYTES,
                    message.reply,
                    message.items * WordRequests.REPLY_BYTES,
                    completion);
        }
    }

    @Override
    public boolean await() {
        post();
        boolean answered = completion.await();
        for (int i = 0; i < count; i++) {
            Message message = messages[targets[i]];
            if (answered || !completion.hasFailed(targets[i])) {
                takeIn(message);
            }
            message.items = 0;
        }
        count = 0;
        posted = 0;
        return answered;
    }

    private void takeIn(Message message) {
        for (int i = 0; i < message.items; i++) {
            long reply = message.reply + (long) i * WordRequests.REPLY_BYTES;
            for (int word = 0; word < message.words[i]; word++) {
                long offset = (long) word * Memory.WORD_BYTES;
                memory.putLong(message.results[i] + offset, memory.getLong(reply + offset));
            }
        }
    }

    @Override
    boolean hasFailed(int node) {
        return completion.hasFailed(node);
    }
}
