package dev.rcc.protocols.locks;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;

/**
 * A coroutine's requests to the words of locks: it collects them, posts them together and awaits them with one wait. Requests to one
 * node take effect in the order of appending. Results lie in the coroutine's buffer. Used on that coroutine only; allocates nothing once
 * warm.
 */
public abstract class LockVerbs {
    private final Memory buffers;
    private final LockCounters counters;

    /** For the subclasses: one for each way of reaching a word. */
    LockVerbs(Memory buffers, LockCounters counters) {
        this.buffers = buffers;
        this.counters = counters;
    }

    /** The verbs of a coroutine, by the site's primitive; they keep room for messages in {@code buffer}. */
    public static LockVerbs of(LockSite site, Coroutine coroutine, BufferSlice buffer) {
        return of(site, new Completion(coroutine), buffer);
    }

    /** The same, which wait by a given completion of the coroutine: it counts their round trips. */
    public static LockVerbs of(LockSite site, Completion completion, BufferSlice buffer) {
        return switch (site.primitive()) {
            case ONE_SIDED -> new OneSidedVerbs(site, completion, buffer);
            case RPC -> new RpcVerbs(site, completion, buffer);
        };
    }

    /** Most bytes that verbs keep in their buffer for each node for which they are used, with the requests to one lock at a time. */
    public static int nodeBytes() {
        return RpcVerbs.NODE_BYTES;
    }

    /** Serves the verbs of other nodes' managers on a worker, if they come by RPC. Called before the worker starts. */
    public static void serve(LockSite site) {
        if (site.primitive() == Primitive.RPC) {
            WordRequests.serve(site.endpoint(), site.wordsRpc(), site.regions());
        }
    }

    /**
     * Reserves room for the requests to one more lock of a round, from taking it to giving it back. Called before anything is posted for the
     * lock: a lock that is taken can then be given back, however many locks the round has.
     *
     * @throws dev.rcc.core.txn.TransactionTooLarge when there is no room, or the network carries no message of that length; nothing is reserved then
     */
    public abstract void reserve(long address);

    /** Drops all reservations, as the round is over. */
    public abstract void endReservations();

    /** Reads words, 1 or 2, in ascending order. */
    public final void read(long address, int words, long result) {
        counters.reads++;
        append(WordRequests.READ, address, words, 0, result);
    }

    /** Writes a word. */
    public final void write(long address, long value) {
        counters.writes++;
        append(WordRequests.WRITE, address, value, 0, 0);
    }

    /** Adds to a word; the word found is the result. */
    public final void fetchAdd(long address, long delta, long result) {
        counters.atomics++;
        append(WordRequests.FETCH_ADD, address, delta, 0, result);
    }

    /** Compares and swaps a word; the word found is the result. */
    public final void cas(long address, long expected, long desired, long result) {
        counters.atomics++;
        append(WordRequests.CAS, address, expected, desired, result);
    }

    /** A word of a result. */
    public final long word(long result) {
        return buffers.getLong(result);
    }

    /** Appends a request. */
    abstract void append(int opcode, long address, long first, long second, long result);

    /** Posts the appended requests. */
    public abstract void post();

    /**
     * Posts the appended requests and waits until nothing is outstanding.
     *
     * @return whether all nodes have answered; see {@link #hasFailed}
     */
    public abstract boolean await();

    /** Whether the node of an address has not answered in the last {@link #await}: the requests to it may have taken effect or not. */
    public final boolean hasFailed(long address) {
        return hasFailed(RemoteAddress.node(address));
    }

    abstract boolean hasFailed(int node);
}
