package dev.rcc.protocols.sundial;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.WriteSet;
import java.util.Arrays;

/**
 * The renew stage: makes the leases of the reads last until the commit timestamp (Sundial, 3.3.2). Leases that do so already cost nothing. For the
 * other leases, rts is raised by a CAS of the whole word from <i>not locked, rts</i> to <i>not locked, rts'</i>, and then the version is read.
 *
 * <ul>
 *   <li>The CAS took place, and the version is the one that was read: it was there at the CAS too, since versions only grow;
 *       a transaction that locks from now on freezes rts', and commits after it.
 *   <li>The CAS found a lease that is long enough, be it locked or not, and the version is the one that was read: the same holds. A transaction that
 *       holds the lock commits after the rts that it froze, which is the one that was found.
 *   <li>The CAS found the attempt's own lock, on a leaf below which it also inserts or deletes, and the version is the one that was read: no other
 *       transaction writes the leaf before this attempt does.
 *   <li>The CAS found another rts that is too short: it is tried again, from there.
 *   <li>Otherwise the lease cannot be renewed. A version other than the one that was read may have got a longer lease than it needed, which only
 *       costs writers in a hurry a wait.
 * </ul>
 *
 * As printed (rcc, 4.5), the tuple is read, found unlocked, and rts raised by a CAS on rts alone. A writer that locks between
 * the two has read an rts that is no longer the lease's end, and commits inside the lease.
 */
class Renewal {
    /** Owner of no lock. */
    static final long NOBODY = -1;

    /** How often other transactions may raise the same rts meanwhile. */
    private static final int MAX_ROUNDS = 64;

    private static final int RESULT_BYTES = 2 * Memory.WORD_BYTES;

    private final Transaction txn;
    private final ReadSet reads;
    private final WriteSet writes;
    private final Primitive primitive;
    private final Memory buffers;
    private final Batches batches;
    private final Calls calls;
    // One-sided: which entries are not renewed yet, and the word that the next CAS expects.
    private int[] pending = {};
    private long[] expected = {};

    Renewal(StageContext context, Primitive primitive) {
        this.txn = context.txn();
        this.reads = context.reads();
        this.writes = context.writes();
        this.primitive = primitive;
        this.buffers = context.worker().buffers();
        this.batches = context.batches();
        this.calls = context.calls();
    }

    /** Whether a word that was read before {@code version} shows a lease that lasts until then, or {@code owner}'s lock. */
    static boolean isLongEnough(long word, long version, long until, long owner) {
        return SundialLayout.owner(word) == owner || SundialLayout.leaseEnd(word, version) >= until;
    }

    /**
     * Renews leases until {@code until}.
     *
     * @param all whether also the leases of reads that are to be written; once these are locked, they need no lease
     * @return null if all leases last until then, or the reason for which the attempt must abort
     */
    AbortReason renew(long until, boolean all) {
        long mark = txn.buffer().allocate(0);
        AbortReason reason = primitive == Primitive.RPC ? renewByRpc(until, all) : renewOneSided(until, all);
        txn.buffer().giveBack(mark);
        return reason;
    }

    /**
     * Whether the lease of an entry that is not locked, as it was when it was read, is too short. Also true if the lease may not be the key's, as a
     * blind write has read it ({@link dev.rcc.protocols.optimistic.Identities}).
     */
    final boolean isToBeRenewed(ReadEntry entry, long until, boolean all) {
        return entry.isFetched()
                && !entry.isKept()
                && (all || !entry.access().isWrite())
                && (SundialLayout.leaseEnd(entry.lockWord(), entry.version()) < until
                        || Identities.isWanted(entry.access()));
    }

    /**
     * The owner whose lock on the entry is this attempt's: for a leaf that it holds as it inserts or deletes below it, and for a record that it has
     * locked to write it and will not write, as the attempt is to end. Any other lock of this owner is one that an earlier transaction of the same
     * coroutine could not drop, and the record that it guards may have been written, according to the backups.
     */
    private long owner(ReadEntry entry) {
        boolean isHeld = entry.isLeaf()
                ? writes.holdsLeaf(entry.address())
                : entry.access().isWrite() && writes.holdsRecord(entry);
        return isHeld ? SundialLayout.ownerOf(txn.id()) : NOBODY;
    }

    private AbortReason renewByRpc(long until, boolean all) {
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isToBeRenewed(entry, until, all)) {
                calls.measure(entry.access().node(), RenewMessage.BYTES, 0);
            }
        }
        if (calls.isEmpty()) {
            return null;
        }
        calls.begin(txn.id());
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isToBeRenewed(entry, until, all)) {
                long item = calls.item(entry.access().node(), RenewMessage.BYTES);
                RenewMessage.encode(buffers, item, entry, until, owner(entry));
            }
        }
        boolean replied = calls.callAndAwait(SundialParticipant.RENEW, txn.completion());
        AbortReason reason = replied ? null : AbortReason.PEER_UNREACHABLE;
        for (int i = 0; i < calls.targets() && reason == null; i++) {
            boolean renewed = buffers.getLong(calls.replyOffset(calls.target(i))) == RenewMessage.ALL_RENEWED;
            reason = renewed ? null : Sundial.LEASE_NOT_RENEWED;
        }
        calls.clear();
        return reason;
    }

    private AbortReason renewOneSided(long until, boolean all) {
        int count = collect(until, all);
        long results = txn.buffer().allocate(count * RESULT_BYTES);
        for (int round = 0; count > 0; round++) {
            if (round == MAX_ROUNDS) {
                return Sundial.LEASE_NOT_RENEWED;
            }
            for (int i = 0; i < count; i++) {
                ReadEntry entry = reads.entry(pending[i]);
                long result = results + (long) i * RESULT_BYTES;
                batches.to(RemoteAddress.node(entry.address()))
                        .cas(
                                entry.address(),
                                expected[i],
                                SundialLayout.unlocked(Math.max(until, SundialLayout.rts(expected[i]))),
                                result);
            }
            for (int i = 0; i < count; i++) {
                ReadEntry entry = reads.entry(pending[i]);
                long result = results + (long) i * RESULT_BYTES;
                batches.to(RemoteAddress.node(entry.address()))
                        .read(entry.versionAddress(), Memory.WORD_BYTES, result + Memory.WORD_BYTES);
            }
            batches.post(txn.completion());
            if (!txn.completion().await()) {
                return AbortReason.PEER_UNREACHABLE;
            }
            count = takeIn(count, results, until);
            if (count < 0) {
                return Sundial.LEASE_NOT_RENEWED;
            }
        }
        return null;
    }

    private int collect(long until, boolean all) {
        if (pending.length < reads.size()) {
            pending = Arrays.copyOf(pending, Math.max(16, 2 * reads.size()));
            expected = Arrays.copyOf(expected, pending.length);
        }
        int count = 0;
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            if (isToBeRenewed(entry, until, all)) {
                pending[count] = i;
                expected[count++] = SundialLayout.unlocked(SundialLayout.rts(entry.lockWord()));
            }
        }
        return count;
    }

    /** Returns how many entries are to be tried again, or -1 if some lease cannot be renewed. */
    private int takeIn(int count, long results, long until) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            long found = buffers.getLong(results + (long) i * RESULT_BYTES);
            long version = buffers.getLong(results + (long) i * RESULT_BYTES + Memory.WORD_BYTES);
            ReadEntry entry = reads.entry(pending[i]);
            if (version != entry.version()) {
                return -1;
            }
            boolean renewed = found == expected[i] || isLongEnough(found, version, until, owner(entry));
            if (!renewed && SundialLayout.isLocked(found)) {
                return -1;
            }
            if (!renewed) {
                pending[left] = pending[i];
                expected[left++] = found;
            }
        }
        return left;
    }
}
