package dev.rcc.protocols.locking;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.Install;
import dev.rcc.protocols.common.InstallMessage;
import dev.rcc.protocols.common.InstallRules;
import dev.rcc.protocols.common.Installer;
import dev.rcc.protocols.common.KeyItem;
import dev.rcc.protocols.common.PrefetchingHandler;
import dev.rcc.protocols.common.Refusal;

/**
 * The participant's RPC handlers (rcc, 4.2). They never wait: where the rules let a request wait, a subclass keeps it and goes on with it
 * later. Handlers of several workers, and peers with one-sided verbs, work on the same words by CAS. Exclusive locks are idempotent per
 * owner, since the word identifies their owner; shared locks are not, and fabrics deliver a call once.
 */
public class LockingParticipant {
    /** Locks and fetches; see {@link LockMessage}. */
    static final int LOCK = 1;
    /** Installs and unlocks; see {@link InstallMessage}. */
    static final int FINISH = 2;

    /** The message of a commit or release: no item has words of the protocol. */
    static final InstallMessage INSTALL = new InstallMessage(0);

    /** The result of a try to lock: it is locked. A positive result is one of a {@link LockMessage}, perhaps a {@link Refusal}. */
    protected static final int GRANTED = 0;
    /** The result of a try to lock: the request has to wait. */
    protected static final int WAIT = -1;

    /** How often a lookup starts over because the key came or went meanwhile. */
    private static final int MAX_LOOKUPS = 8;

    /** The worker's context. */
    protected final WorkerContext context;

    /** The protocol's rules. */
    protected final LockRules rules;

    private final Memstore memstore;
    private final long[] buckets = new long[TableLayout.CHOICES];
    private final Installer installer;
    private LockJob idleJob = new LockJob();

    /** Creates the participant of a worker. */
    protected LockingParticipant(WorkerContext context, LockRules rules) {
        this.context = context;
        this.rules = rules;
        this.memstore = context.memstore();
        this.installer = new Installer(memstore, INSTALL, new Installs());
    }

    /** Registers the handlers. */
    protected void serve() {
        context.endpoint().handle(LOCK, new PrefetchingHandler(memstore, this::lock));
        context.endpoint().handle(FINISH, this::finish);
    }

    // ---- what a protocol may add -----------------------------------------------------------------------------------

    /**
     * Whether a lock must not be tried although the word may allow it, because other requests come first.
     *
     * @return {@link #GRANTED} to try, {@link #WAIT}, or the {@link Refusal} with which the request fails
     */
    protected int barred(LockJob job, Memory memory, long offset, LockMode mode) {
        return GRANTED;
    }

    /**
     * A lock word does not let a request lock.
     *
     * @return {@link #WAIT}, or the {@link Refusal} with which the request fails
     */
    protected int refused(LockJob job, Memory memory, long offset, LockMode mode, long word) {
        return Refusal.of(rules.refusal(word, job.owner()));
    }

    /**
     * Keeps a request that has to wait. Only called if {@link #barred} or {@link #refused} returns {@link #WAIT}.
     *
     * @return a job for the next request
     */
    protected LockJob suspend(LockJob job) {
        throw new IllegalStateException("with these rules no attempt waits");
    }

    /** An attempt of {@code owner} has ended here and dropped its locks by an RPC. */
    protected void released(long owner) {}

    // ---- lock ------------------------------------------------------------------------------------------------------

    private void lock(RpcRequest request) {
        LockJob job = idleJob;
        job.begin(request);
        if (!proceed(job)) {
            idleJob = suspend(job);
        }
    }

    /**
     * Serves the remaining items of a request and replies.
     *
     * @return false if it has to wait; its locks so far stay locked
     */
    protected final boolean proceed(LockJob job) {
        Memory payload = job.items.payload();
        boolean failed = false;
        while (job.items.hasNext() && !failed) {
            TablePartition partition = KeyItem.partition(memstore, payload, job.items.item());
            int result = lockItem(partition, payload, job);
            if (result == WAIT) {
                return false;
            }
            failed = Refusal.is(result);
            endItem(partition, payload, job, result);
        }
        job.items.sendReplies();
        return true;
    }

    /** Ends a request that waits: the item for which it waits is refused for {@code reason}. */
    protected final void refuse(LockJob job, AbortReason reason) {
        Memory payload = job.items.payload();
        TablePartition partition = KeyItem.partition(memstore, payload, job.items.item());
        endItem(partition, payload, job, Refusal.of(reason));
        job.items.sendReplies();
    }

    private static void endItem(TablePartition partition, Memory payload, LockJob job, int result) {
        TableLayout layout = partition.table().layout();
        Memory memory = partition.memory();
        Memory response = job.items.response();
        long leaf = layout.leafOffset(KeyItem.keyHash(payload, job.items.item()));
        long leafVersion = job.leafMode == LockMode.NONE ? 0 : memory.getLong(leaf + layout.leafVersionOffset());
        long slotVersion =
                job.reserved ? memory.getLong(job.tuple + layout.tuple().versionOffset()) : 0;
        LockMessage.encodeReply(
                response,
                job.items.reply(),
                result,
                job.tupleMode,
                job.reserved,
                job.leafMode,
                job.tuple,
                leafVersion,
                slotVersion);
        Intent intent = LockMessage.intent(payload, job.items.item());
        if (result == LockMessage.FOUND) {
            int bytes = Access.fetchedBytes(layout.tuple(), intent);
            memory.copy(job.tuple, response, LockMessage.imageOffset(job.items.reply()), bytes);
        }
        job.next(KeyItem.bytes(layout.tuple()), LockMessage.replyBytes(layout.tuple(), intent));
    }

    /** Locks and finds one item, from its start or from where it had to wait. */
    private int lockItem(TablePartition partition, Memory payload, LockJob job) {
        TableLayout layout = partition.table().layout();
        Intent intent = LockMessage.intent(payload, job.items.item());
        long keyHash = KeyItem.keyHash(payload, job.items.item());
        long identity = KeyItem.identityOffset(job.items.item());
        long leaf = layout.leafOffset(keyHash);
        job.leafMode = job.leafMode(partition.region().address(leaf), LockMessage.leafMode(payload, job.items.item()));
        if (job.tupleMode != LockMode.NONE) {
            return foundTuple(partition, job, intent, leaf); // it has waited for the leaf of a key to be deleted
        }
        for (int i = 0; i < MAX_LOOKUPS; i++) {
            long tuple = partition.lookup(keyHash, payload, identity);
            if (tuple >= 0) {
                LockMode wanted = LockRequest.tupleMode(rules, intent);
                int result = acquire(job, partition.memory(), tuple, wanted);
                if (result != GRANTED) {
                    return result;
                }
                if (!partition.hasIdentity(tuple, payload, identity)) {
                    // The key went between the lookup and the lock.
                    Unlocking.unlock(rules, partition.memory(), tuple, wanted);
                    continue;
                }
                job.tuple = tuple;
                job.tupleMode = wanted;
                return foundTuple(partition, job, intent, leaf);
            }
            LockMode wanted = LockRequest.absenceMode(intent);
            if (job.leafMode.covers(wanted)) {
                return intent == Intent.INSERT ? reserve(partition, keyHash, job) : LockMessage.ABSENT;
            }
            int result = lockLeaf(partition, leaf, wanted, job);
            if (result != GRANTED) {
                return result;
            }
            // The key may have come before the leaf was locked, but not since: look once more.
        }
        return Refusal.of(AbortReason.LOCK_CONFLICT);
    }

    private int foundTuple(TablePartition partition, LockJob job, Intent intent, long leaf) {
        if (intent != Intent.DELETE || job.leafMode == LockMode.EXCLUSIVE) {
            return LockMessage.FOUND;
        }
        int result = lockLeaf(partition, leaf, LockMode.EXCLUSIVE, job);
        return result == GRANTED ? LockMessage.FOUND : result;
    }

    private int reserve(TablePartition partition, long keyHash, LockJob job) {
        long entry = partition.reserve(keyHash, buckets);
        if (entry < 0) {
            return Refusal.of(AbortReason.TABLE_FULL);
        }
        long slot = partition.table().layout().tupleOfEntry(entry);
        int result = acquire(job, partition.memory(), slot, LockMode.EXCLUSIVE);
        if (result != GRANTED) {
            partition.clear(entry); // a transaction with an old address locks the empty slot for a moment
            return result;
        }
        job.tuple = slot;
        job.tupleMode = LockMode.EXCLUSIVE;
        job.reserved = true;
        return LockMessage.ABSENT;
    }

    private int lockLeaf(TablePartition partition, long leaf, LockMode wanted, LockJob job) {
        Memory memory = partition.memory();
        int result = job.leafMode == LockMode.SHARED ? upgrade(job, memory, leaf) : acquire(job, memory, leaf, wanted);
        if (result == GRANTED) {
            job.lockedLeaf(partition.region().address(leaf), wanted);
        }
        return result;
    }

    private int acquire(LockJob job, Memory memory, long offset, LockMode mode) {
        int bar = barred(job, memory, offset, mode);
        if (bar != GRANTED) {
            return bar;
        }
        long owner = job.owner();
        long word = memory.getAcquire(offset);
        while (true) {
            long granted = rules.grant(word, mode, owner);
            if (granted == LockRules.FREE) {
                return mode == LockMode.EXCLUSIVE && word == owner ? GRANTED : refused(job, memory, offset, mode, word);
            }
            long found = memory.compareAndExchange(offset, word, granted);
            if (found == word) {
                return GRANTED;
            }
            word = found;
        }
    }

    /** Upgrades a lock from shared to exclusive. */
    private int upgrade(LockJob job, Memory memory, long offset) {
        long word = memory.getAcquire(offset);
        while (true) {
            long granted = rules.upgrade(word, job.owner());
            if (granted == LockRules.FREE) {
                return refused(job, memory, offset, LockMode.EXCLUSIVE, word);
            }
            long found = memory.compareAndExchange(offset, word, granted);
            if (found == word) {
                return GRANTED;
            }
            word = found;
        }
    }

    // ---- commit and release ----------------------------------------------------------------------------------------

    private void finish(RpcRequest request) {
        long owner = installer.carryOut(request);
        installer.reply();
        released(owner);
    }

    /** Versions are plain words under an exclusive lock, whose word identifies its holder. To drop a shared lock lowers a count. */
    private final class Installs implements InstallRules {
        @Override
        public boolean isHeld(Install install) {
            return install.action() == InstallMessage.UNLOCK_SHARED
                    || install.memory().getAcquire(install.offset()) == install.attempt();
        }

        @Override
        public void writeVersion(Install install) {
            InstallRules.putVersion(install);
        }

        @Override
        public void unlock(Install install) {
            LockMode mode = install.action() == InstallMessage.UNLOCK_SHARED ? LockMode.SHARED : LockMode.EXCLUSIVE;
            Unlocking.unlock(rules, install.memory(), install.offset(), mode);
        }
    }
}
