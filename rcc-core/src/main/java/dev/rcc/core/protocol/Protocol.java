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
 * A concurrency-control protocol. Stateless: what runs on a worker is made by {@link #serve} and {@link #coordinator}.
 */
public interface Protocol {
    /** The name by which users pick it. */
    String name();

    /** What users can choose about it; each key begins with the protocol's name and a dot. */
    default List<Option> options() {
        return List.of();
    }

    /**
     * The same protocol with other values of its options.
     *
     * @param values of {@link #options}, and perhaps of others
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
     * The reasons for which its transactions abort, beyond those of {@link AbortReason} itself. A coordinator aborts for no other, and a
     * participant refuses for no other: reports and messages know a reason only if it is listed.
     */
    default List<AbortReason> abortReasons() {
        return List.of();
    }

    /**
     * Whether a transaction that begins after another one has ended comes after it, in real time (strict serializability). Not so
     * where the order is that of timestamps, which the nodes' clocks or the versions that a transaction met decide.
     */
    default boolean isStrictlySerializable() {
        return false;
    }

    /**
     * Whether each tuple has a checksum, which tells readers without locks that what they have read is of one version; see
     * {@link TupleLayout#isWhole}. The installer of a record puts it in.
     */
    default boolean hasChecksums() {
        return false;
    }

    /** Whether it has all nodes that hold what a transaction writes run it, if they can ({@link dev.rcc.core.txn.Fragment}). */
    default boolean executesFragments() {
        return false;
    }

    /** The words shared between nodes that a stage changes when it uses {@code primitive}. */
    Set<WordChange> changes(int stage, Primitive primitive);

    /**
     * Why the protocol, as its options are, does not run under a code, whatever the network: which option it is, what was given and what is
     * allowed. Empty if it runs.
     */
    default Optional<String> refusal(HybridCode code) {
        return Optional.empty();
    }

    /**
     * Whether what a lost node, or a lost answer, leaves locked is free again in the next configuration only. Where no other configuration comes,
     * whoever wants such a lock waits for its time-out, again and again.
     */
    default boolean countsOnReconfiguration() {
        return false;
    }

    /** Whether the metadata of a tuple or leaf, which starts at {@code offset}, says that it is locked. */
    boolean isLocked(Memory memory, long offset);

    /**
     * Whether {@link #isLocked} tells which tuples a coordinator that is gone may have begun to install. If not, they all may be.
     */
    default boolean marksHolders() {
        return true;
    }

    /**
     * Makes the metadata of a tuple or leaf those of one that is free, whichever transaction held it, and whose version may have been read at
     * any time up to {@code bound}: that of a copy that becomes a primary, or that a lost coordinator has left locked. While no
     * transaction runs.
     *
     * @param bound the largest timestamp at which any transaction may have read, of a protocol that has such
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
     * Makes a worker's clock, from which the timestamps of its coroutines are drawn. Called once for each worker, before {@link #serve},
     * which finds it in the context and may give it handlers, pollers and a service coroutine to keep it together with the others'.
     *
     * @param birthWallNanos when the cluster's time began, by {@link Worker#wallNanos}; the same on all nodes
     */
    default ClusterClock clock(Worker worker, long birthWallNanos) {
        return new WallClock(worker, birthWallNanos);
    }

    /**
     * Makes what the protocol keeps on a node for all of its workers, and takes in configurations. Called once for each incarnation of a node,
     * before its workers are made.
     */
    default NodeState nodeState(int node, NodeShape shape) {
        return NodeState.NONE;
    }

    /** Registers the participant's RPC handlers and pollers on a worker. Called before the worker starts. */
    void serve(WorkerContext context);

    /** Makes the coordinator of the coroutine that owns {@code txn}. Called on that coroutine. */
    Coordinator coordinator(WorkerContext context, Transaction txn);
}
