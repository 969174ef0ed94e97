package dev.rcc.protocols.dslr;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.IndexProbe;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.ValidatingStages;
import dev.rcc.protocols.optimistic.WriteSet;

/** The stages of {@link DslrProtocol}: those of OCC, with tickets drawn before anything is fetched for good. */
final class DslrStages extends ValidatingStages {
    private final ReadSet reads;
    private final GuardRules rules;
    private final AddressCache addresses;
    private final Tickets tickets;

    DslrStages(
            WorkerContext context,
            Transaction txn,
            ReadSet reads,
            WriteSet writes,
            GuardRules rules,
            LockScheme.Locks locks,
            DslrTerms terms) {
        super(context, txn, reads, writes, rules);
        this.reads = reads;
        this.rules = rules;
        this.addresses = context.addresses();
        this.tickets = new Tickets(txn, locks, terms);
    }

    /** An attempt begins, which has no tickets yet. */
    void beginTickets() {
        tickets.begin(txn.id() != txn.age());
    }

    // ---- lock ------------------------------------------------------------------------------------------------------

    /** What is fetched before the tickets are held says where the records lie, no more. */
    @Override
    protected boolean fetchFrom(int first) {
        boolean located = locate(first);
        for (int i = first; i < reads.size(); i++) {
            want(reads.entry(i).access());
            reads.entry(i).fetchAgain();
        }
        if (!located) {
            return false;
        }
        AbortReason reason = reasonFor(tickets.draw());
        if (reason != null) {
            txn.abort(reason);
            return false;
        }
        return super.fetchFrom(first) && areHeld(first);
    }

    /** Finds out where the tuples lie, or that there are none. */
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
        return known || super.fetchFrom(first);
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
            case LOST -> DslrProtocol.LOCK_LOST;
            case TIMED_OUT -> tickets.isBrief() ? AbortReason.LOCK_CONFLICT : ConflictReasons.WAIT_TIMEOUT;
            case UNREACHABLE -> AbortReason.PEER_UNREACHABLE;
        };
    }

    /** A key may have come, gone or moved between the two fetches: then the tickets are for something else. */
    private boolean areHeld(int first) {
        for (int i = first; i < reads.size(); i++) {
            if (!tickets.cover(reads.entry(i).address())) {
                txn.abort(AbortReason.INDEX_CHANGED);
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
