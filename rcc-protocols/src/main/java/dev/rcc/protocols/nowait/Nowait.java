package dev.rcc.protocols.nowait;

import dev.rcc.protocols.locking.LockingProtocol;

/** NOWAIT: two-phase locking without waiting (rcc, 4.2). */
public final class Nowait extends LockingProtocol {
    /** Creates the protocol. */
    public Nowait() {
        super(new NowaitRules());
    }

    @Override
    public String name() {
        return "nowait";
    }
}
