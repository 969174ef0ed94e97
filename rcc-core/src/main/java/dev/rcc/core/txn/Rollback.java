package dev.rcc.core.txn;

/**
 * Unwinds a procedure whose attempt has met a conflict in {@link Transaction#fetch}. Control flow, not an error: it has
 * no stack trace, and a procedure must let it pass.
 */
public final class Rollback extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The only instance. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it carries neither trace, cause nor suppressed exceptions
    public static final Rollback INSTANCE = new Rollback();

    private Rollback() {
        super("the attempt was aborted", null, false, false);
    }
}
