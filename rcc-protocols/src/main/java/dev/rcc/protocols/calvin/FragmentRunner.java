package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Table;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.IndexHints;
import dev.rcc.core.txn.IndexedProcedure;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.InstallMessage;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Runs fragments on a worker that takes part in their transactions (rcc, 4.6), on the records that have been forwarded to its node. The result of a
 * run is the writes of the worker's own keys, as a message that the coordinator might have sent.
 *
 * <p>The coordinator reports any other end than a commit: it has run the same code on the same records. If this run needed a
 * key that is not locked, the coordinator's run did too, or has read more of an ordered index than this node; then the coordinator sends the writes.
 */
final class FragmentRunner {
    private final Memory buffers;
    private final Memory memory;
    private final Transaction txn;
    private final Fragment[] fragments;
    private final IndexedProcedure indexed = new IndexedProcedure();
    private final LongPredicate isFinished;

    private ActivePart part;
    private long results;
    private int fetched;
    /** By access: its item of the submission. */
    private int[] itemOfAccess = new int[8];
    /** By item: the access that fills the slot that was reserved for it, or null. */
    private Access[] inserters = new Access[8];

    /**
     * Creates the runner of a worker.
     *
     * @param coroutine a coroutine of the worker, as procedures may ask for it
     * @param isFinished whether the transaction with an id is over
     */
    FragmentRunner(WorkerContext context, Coroutine coroutine, LongPredicate isFinished) {
        this.buffers = context.buffers();
        this.isFinished = isFinished;
        // Room for the coordinator's buffer contents, and for the message that it would have sent.
        this.memory = Memory.allocate(Arena.ofAuto(), 2L * context.shape().bufferBytes());
        this.txn = new Transaction(
                coroutine,
                context.catalog(),
                new BufferSlice(memory, 0, memory.size()),
                new TimestampClock(context.clock(), context.worker().node(), context.serviceCoroutine()),
                new IndexHints(context.catalog()));
        this.fragments = new Fragment[context.fragments().size()];
        for (int i = 0; i < fragments.length; i++) {
            fragments[i] = context.fragments().type(i).make(context.catalog());
        }
        txn.fetcher(this::fetch);
    }

    /**
     * Runs a participation's fragment. All its parts have arrived in this node's inbox.
     *
     * @return whether the transaction writes, and commits as far as this node can tell; then the participation has its writes
     */
    boolean run(Participation participation) {
        part = participation.active();
        results = participation.resultsOffset();
        fetched = 0;
        if (part.items() > inserters.length) {
            inserters = new Access[2 * part.items()];
        }
        Arrays.fill(inserters, 0, part.items(), null);
        txn.beginExecution(
                InputMessage.attemptId(part.inputs(), 0), InputMessage.age(part.inputs(), 0), participation.home());
        Fragment fragment = fragments[InputMessage.fragment(part.inputs(), 0)];
        fragment.takeArguments(part.inputs(), InputMessage.argumentsOffset(0));
        try {
            return commits(indexed.of(fragment), participation.id()) && keepWrites(participation.id());
        } catch (Rollback rollback) {
            return false;
        } catch (RuntimeException | Error e) {
            return false; // the coordinator's client gets the exception
        }
    }

    private boolean commits(Procedure procedure, long id) {
        procedure.declare(txn);
        fetch();
        if (isFinished.test(id)) {
            return false; // the inbox may be another transaction's by now: the records may be inconsistent
        }
        procedure.execute(txn);
        if (txn.abortReason() == null) {
            fetch();
        }
        return txn.abortReason() == null;
    }

    // ---- fetch ----------------------------------------------------------------------------------------------------

    private void fetch() {
        if (txn.abortReason() != null) {
            throw Rollback.INSTANCE;
        }
        for (; fetched < txn.size(); fetched++) {
            Access access = txn.access(fetched);
            int item = find(access);
            if (item < 0) {
                txn.abort(Calvin.DEPENDENCY_CHANGED);
                throw Rollback.INSTANCE;
            }
            give(access, item);
        }
        if (txn.abortReason() != null) {
            throw Rollback.INSTANCE;
        }
    }

    /** The item of an access's key that is locked for its intent or more; -1 if there is none. Items are in the order of declaration. */
    private int find(Access access) {
        if (fetched < part.items() && isOf(access, fetched)) {
            return fetched;
        }
        for (int i = 0; i < part.items(); i++) {
            if (isOf(access, i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean isOf(Access access, int i) {
        long item = part.item(i);
        Memory inputs = part.inputs();
        return InputMessage.keyHash(inputs, item) == access.keyHash()
                && InputMessage.table(inputs, item, txn.catalog()) == access.table()
                && inputs.equalWords(
                        InputMessage.identityOffset(item),
                        memory,
                        access.identityOffset(),
                        access.layout().identityBytes())
                && Submission.covers(InputMessage.intent(inputs, item), access.declaredIntent());
    }

    private void give(Access access, int i) {
        long item = part.item(i);
        long result = results + (long) i * ForwardMessage.RESULT_BYTES;
        if (fetched == itemOfAccess.length) {
            itemOfAccess = Arrays.copyOf(itemOfAccess, 2 * fetched);
        }
        itemOfAccess[fetched] = i;
        access.leafVersion(ForwardMessage.leafVersion(buffers, result));
        int status = ForwardMessage.status(buffers, result);
        if (status == ForwardMessage.FOUND) {
            long image = InputMessage.imageOffset(part.inputs(), item);
            buffers.copy(image, memory, access.imageOffset(), access.fetchedBytes());
            access.tupleAddress(address(access, result));
            access.foundTuple();
        } else {
            access.foundNothing();
        }
        if (status == ForwardMessage.FULL) {
            throw Rollback.INSTANCE;
        }
        if (access.declaredIntent() == Intent.INSERT && !access.exists()) {
            access.tupleAddress(address(access, result));
            access.slotVersion(ForwardMessage.slotVersion(buffers, result));
            inserters[i] = access;
        }
    }

    private long address(Access access, long result) {
        return access.table().address(access.node(), access.partition(), ForwardMessage.tupleOffset(buffers, result));
    }

    // ---- writes ---------------------------------------------------------------------------------------------------

    /** Keeps the writes of the keys that are the participation's own, if the transaction writes at all. */
    private boolean keepWrites(long id) {
        int bytes = Calls.HEADER_BYTES;
        boolean writes = false;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            writes |= access.isWrite();
            bytes += isOwnWrite(i) ? writeBytes(access) : 0;
        }
        if (!writes) {
            return false;
        }
        for (int i = 0; i < part.items(); i++) {
            bytes += isToBeFreed(i) ? CalvinParticipant.INSTALL.bytes() : 0;
        }
        long message = txn.buffer().allocate(bytes);
        encodeWrites(message, id);
        part.keepWrites(memory, message, bytes);
        return true;
    }

    private void encodeWrites(long message, long id) {
        long version = version(id);
        long item = message + Calls.HEADER_BYTES;
        int count = 0;
        for (int i = 0; i < txn.size(); i++) {
            if (isOwnWrite(i)) {
                Access access = txn.access(i);
                CalvinParticipant.INSTALL.encodeWrite(memory, item, access, version);
                memory.putLong(InstallMessage.ownOffset(item), access.keyHash());
                item += writeBytes(access);
                count++;
            }
        }
        for (int i = 0; i < part.items(); i++) {
            if (isToBeFreed(i)) {
                encodeFree(i, item);
                item += CalvinParticipant.INSTALL.bytes();
                count++;
            }
        }
        memory.putLong(message, count);
        memory.putLong(message + Memory.WORD_BYTES, id);
    }

    private long version(long id) {
        long latest = Timestamp.NONE;
        for (int i = 0; i < part.items(); i++) {
            long item = part.item(i);
            latest = CommitVersion.latest(
                    latest,
                    buffers,
                    results + (long) i * ForwardMessage.RESULT_BYTES,
                    InputMessage.imageOffset(part.inputs(), item),
                    InputMessage.table(part.inputs(), item, txn.catalog())
                            .layout()
                            .tuple());
        }
        return CommitVersion.of(latest, id);
    }

    private boolean isOwnWrite(int access) {
        return txn.access(access).isWrite() && isOwn(itemOfAccess[access]);
    }

    private boolean isOwn(int i) {
        return InputMessage.part(part.inputs(), part.item(i)) == part.number;
    }

    private static int writeBytes(Access access) {
        return CalvinParticipant.INSTALL.bytes(InstallMessage.action(access), access.layout());
    }

    /** A slot that no insert fills goes back. */
    private boolean isToBeFreed(int i) {
        long result = results + (long) i * ForwardMessage.RESULT_BYTES;
        return isOwn(i)
                && InputMessage.intent(part.inputs(), part.item(i)) == Intent.INSERT
                && ForwardMessage.status(buffers, result) == ForwardMessage.ABSENT
                && (inserters[i] == null || !inserters[i].isWrite());
    }

    private void encodeFree(int i, long target) {
        long item = part.item(i);
        Table table = InputMessage.table(part.inputs(), item, txn.catalog());
        int partition = InputMessage.partition(part.inputs(), item);
        long tuple = ForwardMessage.tupleOffset(buffers, results + (long) i * ForwardMessage.RESULT_BYTES);
        int node = txn.catalog().placement().primary(partition);
        CalvinParticipant.INSTALL.encode(
                memory, target, InstallMessage.UNRESERVE, table.address(node, partition, tuple), Timestamp.NONE);
        memory.putLong(InstallMessage.ownOffset(target), InputMessage.keyHash(part.inputs(), item));
    }
}
