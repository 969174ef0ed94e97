package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;

/**
 * A procedure that every node has by its name, with arguments that can be sent: so a protocol can have any node run it (rcc, 4.6). Under a
 * protocol that does not, it is a procedure as others.
 *
 * <p>It is <em>deterministic</em>: what it declares depends on its arguments only, and what it writes, and whether it gives up, on these and
 * on the records that it has fetched. It does not look at the time, at randomness, at the id of the transaction or at the node where it runs,
 * keeps nothing from one run to the next, and names all keys in {@link #declare}. What names keys as it executes may be run by its
 * coordinator alone.
 */
public interface Fragment extends Procedure {
    /** The name of its code, that of the {@link FragmentType} which made it. */
    String name();

    /** The length of its arguments in bytes, a multiple of 8. */
    int argumentBytes();

    /** Writes its arguments, whole words. */
    void putArguments(Memory target, long offset);

    /** Takes other arguments, as {@link #putArguments} has written them. */
    void takeArguments(Memory source, long offset);

    @Override
    default Fragment fragment() {
        return this;
    }
}
