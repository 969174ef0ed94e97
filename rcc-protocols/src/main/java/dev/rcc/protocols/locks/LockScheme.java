package dev.rcc.protocols.locks;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A way of managing locks. Stateless: {@link #serve} creates the state of a worker. */
public interface LockScheme {
    /** The name by which users pick it. */
    String name();

    /** The words of locks that it changes when their words are reached by {@code primitive}. */
    Set<WordChange> changes(Primitive primitive);

    /** Whether, by the first word of a lock, no requester holds it or waits for it. */
    boolean isAtRest(long word);

    /**
     * Checks that the scheme can serve so many requesters.
     *
     * @throws IllegalArgumentException when they are too many: the message has the numbers
     */
    default void checkRequesters(int requesters) {}

    /**
     * Registers handlers, and starts to serve the locks of a worker. Called before the worker starts.
     *
     * @throws IllegalArgumentException when the cluster is too large for the scheme: the message has the numbers
     */
    Locks serve(LockSite site);

    /**
     * Begins to serve the locks of a node, for schemes in which its workers share state. Called once for each incarnation of a node. The
     * returned function is applied to each of its workers as {@link #serve} is, in the order of their numbers.
     *
     * @param workers number of the node's workers
     */
    default Function<LockSite, Locks> node(int workers) {
        return this::serve;
    }

    /** Serves all workers of a node. */
    default List<Locks> serveNode(List<LockSite> sites) {
        return sites.stream().map(node(sites.size())).toList();
    }

    /** A scheme on one worker. */
    @FunctionalInterface
    interface Locks {
        /**
         * Makes the lock manager of a coroutine. Called on that coroutine.
         *
         * @param buffer its slice of the buffers, of which the manager keeps a part permanently
         */
        default LockManager manager(Coroutine coroutine, BufferSlice buffer) {
            return manager(coroutine, new Completion(coroutine), buffer);
        }

        /** The same, with the completion that the coroutine uses to wait for the network: it counts the manager's round trips. */
        LockManager manager(Coroutine coroutine, Completion completion, BufferSlice buffer);
    }
}
