package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.ValidatingStages;
import dev.rcc.protocols.optimistic.WriteSet;

/** The stages of {@link DslrLocking}: those of OCC, with tickets drawn before the fetch that counts. */
final class DslrLockingStages extends ValidatingStages {
    /** How often a key may have moved when its ticket's turn comes. */
    private static final int MAX_MOVES = 4;

    private final ReadSet reads;
    private final GuardRules rules;
    private final AddressCache addresses;
    private final Tickets tickets;

    DslrLockingStages(StageContext context, GuardRules rules, LockScheme.Locks locks, DslrTerms terms) {
        super(context);
        this.reads = context.reads();
        this.rules = rules;
        this.addresses = context.worker().addresses();
        this.tickets = new Tickets(
                txn,
                locks,
                DslrLocking.ticketBuffer(context.worker(), txn.coroutine().id()),
                terms);
    }

    /** Begins an attempt, which has no tickets yet. */
    void beginTickets() {
        tickets.begin(txn.id() != txn.age());
    }

    // ---- lock ------------------------------------------------------------------------------------------------------

    /**
     * A fetch before the tickets are held serves to find the records' addresses only. A key may come, go or move before its ticket's turn:
     * then the attempt draws tickets of the key's present tuple or leaf.
     */
    @Override
    protected boolean fetchFrom(int first) {
        boolean held = locate(first);
        for (int moves = 0; held; moves++) {
            held = draw(first) && super.fetchFrom(first);
            if (held && areHeld(first)) {
                return true;
            }
            if (held && moves == MAX_MOVES) {
                txn.abort(AbortReason.INDEX_CHANGED);
                held = false;
            }
        }
        return false;
    }

    /** Draws the tickets of the entries from number {@code first} on. Afterwards the entries are to be fetched. */
    private boolean draw(int first) {
        for (int i = first; i < reads.size(); i++) {
            want(reads.entry(i).access());
            reads.entry(i).fetchAgain();
        }
        AbortReason reason = reasonFor(tickets.draw());
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** Finds the addresses of the tuples, or that there are none. */
    private boolean locate(int first) {
        boolean known = true;
        for (int i = first; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            Access access = entry.access();
            long cached = addresses.get(access.table().id(), access.keyHash());
            if (cached == RemoteAddress.NONE) {
                known = false;
            } else {
                access.tupleAddress(cached);
                entry.leaveOut();
            }
        }
        if (known || super.fetchFrom(first)) {
            return true;
        }
        for (int i = first; i < reads.size(); i++) {
            reads.entry(i).fetchAgain(); // the entries that were left out were not fetched
        }
        return false;
    }

    private void want(Access access) {
        Intent intent = access.declaredIntent();
        boolean isThere = access.tupleAddress() != RemoteAddress.NONE;
        if (isThere) {
            tickets.want(access.tupleAddress(), writesTuple(intent) ? LockMode.EXCLUSIVE : LockMode.SHARED);
        }
        boolean comesOrGoes = intent == Intent.DELETE || (intent == Intent.INSERT && !isThere);
        if (!isThere || comesOrGoes) {
            tickets.want(IndexProbe.leafAddress(access), comesOrGoes ? LockMode.EXCLUSIVE : LockMode.SHARED);
        }
    }

    private static boolean writesTuple(Intent intent) {
        return intent == Intent.UPDATE || intent == Intent.WRITE || intent == Intent.DELETE;
    }

    private AbortReason reasonFor(LockOutcome outcome) {
        return switch (outcome) {
            case GRANTED -> null;
            case LOST -> DslrLocking.TICKET_LOST;
            case TIMED_OUT -> tickets.isBrief() ? AbortReason.LOCK_CONFLICT : ConflictReasons.WAIT_TIMEOUT;
            case UNREACHABLE -> AbortReason.PEER_UNREACHABLE;
        };
    }

    /** Whether there is a ticket of every tuple and leaf that was fetched. */
    private boolean areHeld(int first) {
        for (int i = first; i < reads.size(); i++) {
            if (!tickets.cover(reads.entry(i).address())) {
                return false;
            }
        }
        return true;
    }

    // ---- guard and validate ----------------------------------------------------------------------------------------

    @Override
    protected void collected(WriteSet written) {
        if (rules.trustsLeases()) {
            written.takeUpdatesAsHeld(txn.id());
        }
    }

    @Override
    public boolean validate() {
        return rules.trustsLeases() || super.validate();
    }

    @Override
    public AbortReason preAbortReason() {
        return rules.trustsLeases() ? null : super.preAbortReason();
    }

    // ---- release ---------------------------------------------------------------------------------------------------

    /** Hands all tickets back, if the attempt has any. */
    void handBack() {
        if (tickets.isAny()) {
            clock.enter();
            tickets.handBack();
            clock.leave(RELEASE);
        }
    }
}
