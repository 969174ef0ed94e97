package dev.rcc.client.procedure;

import dev.rcc.client.Codec;
import dev.rcc.client.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What a stored procedure is called by, and what it takes and gives. Made once, in code that the procedure and its callers share.
 *
 * @param <A> what the program calls the argument
 * @param <R> what the program calls the result
 * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
 * @param argument how the argument is bytes
 * @param result how the result is bytes
 * @param readOnly whether it writes nothing: then it is called again when an answer was lost, and its writes are refused
 */
public record ProcedureType<A, R>(String name, Codec<A> argument, Codec<R> result, boolean readOnly) {
    private static final int NAME_BYTES_MAX = 100;

    /** Checks the name and the sizes. */
    public ProcedureType {
        Objects.requireNonNull(argument, "argument");
        Objects.requireNonNull(result, "result");
        int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes < 1 || nameBytes > NAME_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a procedure's name has 1 to " + NAME_BYTES_MAX + " bytes of UTF-8, got " + nameBytes);
        }
        check(name, "argument", argument.bytes());
        check(name, "result", result.bytes());
    }

    private static void check(String name, String what, int bytes) {
        if (bytes < 0 || bytes > Wire.DATA_BYTES_MAX) {
            throw new IllegalArgumentException("the " + what + " of procedure " + name + " may have 0 to "
                    + Wire.DATA_BYTES_MAX + " bytes, its codec has " + bytes);
        }
    }

    /**
     * {@return a procedure that may write}
     *
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
     * @param argument how the argument is bytes; {@link Codec#ofNothing} if there is none
     * @param result how the result is bytes; {@link Codec#ofNothing} if there is none
     * @throws IllegalArgumentException when the name is too long or empty, or a codec has more than 512 KiB
     */
    public static <A, R> ProcedureType<A, R> of(String name, Codec<A> argument, Codec<R> result) {
        return new ProcedureType<>(name, argument, result, false);
    }

    /**
     * {@return a procedure that only reads}
     *
     * @param <A> what the program calls the argument
     * @param <R> what the program calls the result
     * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
     * @param argument how the argument is bytes; {@link Codec#ofNothing} if there is none
     * @param result how the result is bytes; {@link Codec#ofNothing} if there is none
     * @throws IllegalArgumentException when the name is too long or empty, or a codec has more than 512 KiB
     */
    public static <A, R> ProcedureType<A, R> ofReader(String name, Codec<A> argument, Codec<R> result) {
        return new ProcedureType<>(name, argument, result, true);
    }
}
