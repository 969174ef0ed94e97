package dev.rcc.protocols.locking;

import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.RemoteWord;

/**
 * Settles shared locks when a link fails under them. They are counted, and a count does not identify the holders. A transaction for which it
 * is unknown whether its lock was taken, or dropped, must neither drop it (again) nor leave it. If no transaction shares the lock any more
 * when the attempt looks, the doubt is over. Else the attempt asks for a reconfiguration in which no node is lost: while no transaction runs,
 * no transaction holds a lock, and a lock that is held even so is freed.
 */
final class SharedDoubt {
    /** Looks at a word; the pauses after them add up to some 10 ms. */
    private static final int LOOKS = 9;

    private static final long FIRST_PAUSE_NANOS = 20_000;

    private final Transaction txn;
    private final LockRules rules;
    private final RemoteWord word;
    private final AttemptGate gate;

    SharedDoubt(Transaction txn, LockRules rules, RemoteWord word, AttemptGate gate) {
        this.txn = txn;
        this.rules = rules;
        this.word = word;
        this.gate = gate;
    }

    /**
     * Makes sure that a lock which the attempt perhaps shares is not left behind.
     *
     * @return false if its node was not reached
     */
    boolean look(long address) {
        for (int look = 0; look < LOOKS; look++) {
            if (!word.read(address)) {
                return false;
            }
            if (!rules.isShared(word.found())) {
                return true;
            }
            txn.coroutine().sleep(FIRST_PAUSE_NANOS << look);
        }
        gate.askForSweep();
        return true;
    }
}
