package dev.rcc.transport.verbs.ibv;

/** The device or the kernel refused an operation. */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /** Names the failed operation and the platform's reason. */
    public VerbsException(String what, int errno) {
        this(what, errno, "");
    }

    /** Names the failed operation and the platform's reason, with a hint for the operator. */
    public VerbsException(String what, int errno, String hint) {
        super(what + ": " + Errno.text(errno) + hint);
        this.errno = errno;
    }

    /** The platform's error number; see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
