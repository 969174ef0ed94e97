package dev.rcc.core.protocol;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A concurrency-control protocol. Stateless: {@link #serve} and {@link #coordinator} make the parts that run on a worker.
 */
public interface Protocol {
    /** The name by which users pick it. */
    String name();

    /** The options that users can set; each key begins with the protocol's name and a dot. */
    default List<Option> options() {
        return List.of();
    }

    /**
     * The same protocol with other values of its options.
     *
     * @param values of {@link #options}, and perhaps of other options
     * @throws IllegalArgumentException if values do not fit together
     */
    default Protocol with(OptionValues values) {
        return this;
    }

    /** The stages whose primitive can be chosen, in the order of a hybrid code's digits. */
    List<String> stages();

    /** Bytes of metadata that the protocol keeps in each tuple and leaf, a multiple of 8, zero in a new tuple. */
    int metadataBytes();

    /** How many older records each tuple has room for, behind the current one; see {@link TupleLayout}. */
    default int historySlots() {
        return 0;
    }

    /**
     * Offset in a tuple of the version of the older record with this number, 0 to {@link #historySlots} - 1. The version is
     * {@link dev.rcc.core.time.Timestamp#NONE} where there is no such record.
     *
     * @throws IllegalArgumentException for a number without a slot
     */
    default int historyVersionOffset(int slot) {
        throw new IllegalArgumentException(name() + " has no slot " + slot + " for older records");
    }

    /**
     * The reasons for which its transactions abort, beyond the common ones of {@link AbortReason} itself. A coordinator aborts, and a participant
     * refuses, for no other reason: reports and messages can contain a reason only if it is listed.
     */
    default List<AbortReason> abortReasons() {
        return List.of();
    }

    /**
     * Whether a transaction that begins after another one has ended comes after it, in real time (strict serializability). False where transactions
     * are ordered by timestamps that come from the nodes' clocks, or from the versions that a transaction met.
     */
    default boolean isStrictlySerializable() {
        return false;
    }

    /**
     * Whether each tuple has a checksum, by which readers without locks verify that the bytes that they have read are of one version; see
     * {@link TupleLayout#isWhole}. The transaction that installs a record writes the checksum.
     */
    default boolean hasChecksums() {
        return false;
    }

    /** Whether it has all nodes that hold a transaction's written records run the transaction, if they can ({@link dev.rcc.core.txn.Fragment}). */
    default boolean executesFragments() {
        return false;
    }

    /** The words shared between nodes that a stage changes when it uses {@code primitive}. */
    Set<WordChange> changes(int stage, Primitive primitive);

    /**
     * Why the protocol, with its present options, does not run under a code on any network: the option, its value and what is allowed. Empty if it
     * runs.
     */
    default Optional<String> refusal(HybridCode code) {
        return Optional.empty();
    }

    /**
     * Whether locks that a lost node, or a lost reply, leaves behind become free in the next configuration only. Where no other configuration comes,
     * a transaction that needs such a lock waits for its time-out, again and again.
     */
    default boolean countsOnReconfiguration() {
        return false;
    }

    /** Whether the metadata of a tuple or leaf, which starts at {@code offset}, shows that it is locked. */
    boolean isLocked(Memory memory, long offset);

    /**
     * Whether {@link #isLocked} identifies the tuples that a lost coordinator may have begun to install. If not, it may have begun to install any.
     */
    default boolean marksHolders() {
        return true;
    }

    /**
     * Sets the metadata of a tuple or leaf, whichever transaction held it, to the metadata of a free one whose version may have been read at any time
     * up to {@code bound}. For a copy that becomes a primary, or for a tuple or leaf that a lost coordinator has left locked. Called while no
     * transaction runs.
     *
     * @param bound the largest timestamp at which any transaction may have read, for a protocol that has such timestamps
     */
    void recover(Memory memory, long offset, long bound);

    /**
     * Bytes that the protocol shares with its peers on every node, beyond the coroutines' buffers and in the same region:
     * they start at {@link NodeShape#sharedOffset()}. A multiple of 8; zeroed before the workers start.
     */
    default long sharedBytes(NodeShape shape) {
        return 0;
    }

    /**
     * Makes a worker's clock, from which the timestamps of its coroutines are drawn. Called once for each worker, before {@link #serve}. That method
     * finds the clock in the context, and may give it handlers, pollers and a service coroutine to synchronise it with the other clocks.
     *
     * @param birthWallNanos when the cluster's time began, by {@link Worker#wallNanos}; the same on all nodes
     */
    default ClusterClock clock(Worker worker, long birthWallNanos) {
        return new WallClock(worker, birthWallNanos);
    }

    /**
     * Makes the protocol's state on a node, which all of its workers share and which takes in configurations. Called once for each incarnation of a
     * node, before its workers are made.
     */
    default NodeState nodeState(int node, NodeShape shape) {
        return NodeState.NONE;
    }

    /** Registers the participant's RPC handlers and pollers on a worker. Called before the worker starts. */
    void serve(WorkerContext context);

    /** Makes the coordinator of the coroutine that owns {@code txn}. Called on that coroutine. */
    Coordinator coordinator(WorkerContext context, Transaction txn);
}
