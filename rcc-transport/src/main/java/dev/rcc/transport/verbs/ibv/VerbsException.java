package dev.rcc.transport.verbs.ibv;

/** The device or the kernel refused something. */
public final class VerbsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /** Names what failed and the platform's reason. */
    public VerbsException(String what, int errno) {
        this(what, errno, "");
    }

    /** Likewise, with a hint of what to do about it. */
    public VerbsException(String what, int errno, String hint) {
        super(what + ": " + Errno.text(errno) + hint);
        this.errno = errno;
    }

    /** The platform's error number; see {@link Errno}. */
    public int errno() {
        return errno;
    }
}
