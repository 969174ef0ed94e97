package dev.rcc.it.example;

import dev.rcc.protocols.locking.LockingProtocol;

/** EXCLUSIVE: two-phase locking without waiting and without sharing (rcc, 4.2). */
public final class Exclusive extends LockingProtocol {
    /** Creates the protocol. */
    public Exclusive() {
        super(new ExclusiveRules());
    }

    @Override
    public String name() {
        return "exclusive";
    }
}
