package dev.rcc.bench.history;

import java.io.EOFException;
import tools.jackson.core.exc.StreamReadException;

/** Input that is not a history: the message says where, what was given and what is allowed. */
public final class BadHistory extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** The words of the JSON library; not all such exceptions have a class of their own. */
    private static final String END_OF_INPUT = "Unexpected end-of-input";

    /** Whether a file could not be read because it ends before what it contains does. */
    public static boolean isCutOff(Exception e) {
        return e instanceof EOFException
                || e.getCause() instanceof EOFException
                || (e instanceof StreamReadException read
                        && read.getOriginalMessage().startsWith(END_OF_INPUT));
    }

    /** The refusal of a file that is {@linkplain #isCutOff cut off}. */
    public static BadHistory cutOff(String place, Exception e) {
        return new BadHistory(place + ": got a file that ends early, allowed: a whole history", e);
    }

    BadHistory(String message) {
        super(message);
    }

    BadHistory(String message, Throwable cause) {
        super(message, cause);
    }
}
