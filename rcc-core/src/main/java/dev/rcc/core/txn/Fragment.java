package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;

/**
 * A procedure that every node has by its name, with arguments that can be sent: so a protocol can have any node run it (rcc, 4.6). Under a protocol
 * that does not, it is an ordinary procedure.
 *
 * <p>It is <em>deterministic</em>: its declarations depend on its arguments only. Its writes, and whether it gives up, depend on the arguments and on
 * the records that it has fetched. It uses neither the time nor randomness, nor the id of the transaction, nor the node where it runs. It keeps
 * nothing from one run to the next, and names all keys in {@link #declare}. A procedure that names keys as it executes may be run by its coordinator
 * alone.
 */
public interface Fragment extends Procedure {
    /** The name of its code: the name of the {@link FragmentType} that made it. */
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
