package dev.rcc.protocols.locks;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A way of managing locks. Stateless: what runs on a worker is made by {@link #serve}. */
public interface LockScheme {
    /** The name by which users pick it. */
    String name();

    /** The words of locks that it changes when their words are reached by {@code primitive}. */
    Set<WordChange> changes(Primitive primitive);

    /** Whether the first word of a lock says that nobody holds it or waits for it. */
    boolean isAtRest(long word);

    /**
     * Registers handlers, and starts what serves the locks of a worker. Called before the worker starts.
     *
     * @throws IllegalArgumentException when the cluster is too large for the scheme: the message has the numbers
     */
    Locks serve(LockSite site);

    /**
     * Begins to serve the locks of a node, for schemes in which its workers have something in common. Called once for each incarnation of a node; what
     * it returns is applied to each of its workers as {@link #serve} is, in the order of their numbers.
     *
     * @param workers how many the node has
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
         * @param buffer its slice of the buffers, of which the manager keeps a part for good
         */
        default LockManager manager(Coroutine coroutine, BufferSlice buffer) {
            return manager(coroutine, new Completion(coroutine), buffer);
        }

        /** The same, with the completion by which the coroutine waits for the network: it counts the manager's round trips. */
        LockManager manager(Coroutine coroutine, Completion completion, BufferSlice buffer);
    }
}
