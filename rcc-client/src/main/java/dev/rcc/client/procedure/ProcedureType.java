package dev.rcc.client.procedure;

import dev.rcc.client.Codec;
import dev.rcc.client.wire.Utf8;
import dev.rcc.client.wire.Wire;
import java.util.Objects;

/**
 * The name of a stored procedure, and the types of its argument and result. Made once, in code that the procedure and its callers share.
 *
 * @param <A> the type of the argument
 * @param <R> the type of the result
 * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
 * @param argument the codec of the argument
 * @param result the codec of the result
 * @param readOnly whether the procedure writes nothing: then the client calls it again when an answer was lost, and its writes are refused
 */
public record ProcedureType<A, R>(String name, Codec<A> argument, Codec<R> result, boolean readOnly) {
    private static final int NAME_BYTES_MAX = 100;

    /** Checks the name and the sizes; throws an {@link IllegalArgumentException} when one is not allowed. */
    public ProcedureType {
        Objects.requireNonNull(argument, "argument");
        Objects.requireNonNull(result, "result");
        int nameBytes = Utf8.bytes("a procedure's name", name).length;
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
     * {@return the type of a procedure that may write}
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
     * @param argument the codec of the argument; {@link Codec#ofNothing} if there is none
     * @param result the codec of the result; {@link Codec#ofNothing} if there is none
     * @throws IllegalArgumentException when the name is empty, too long or has half of a surrogate pair, or a codec's values have more than 512 KiB
     */
    public static <A, R> ProcedureType<A, R> of(String name, Codec<A> argument, Codec<R> result) {
        return new ProcedureType<>(name, argument, result, false);
    }

    /**
     * {@return the type of a procedure that only reads}
     *
     * @param <A> the type of the argument
     * @param <R> the type of the result
     * @param name the procedure's name, unique in the cluster: 1 to 100 bytes of UTF-8
     * @param argument the codec of the argument; {@link Codec#ofNothing} if there is none
     * @param result the codec of the result; {@link Codec#ofNothing} if there is none
     * @throws IllegalArgumentException when the name is empty, too long or has half of a surrogate pair, or a codec's values have more than 512 KiB
     */
    public static <A, R> ProcedureType<A, R> ofReader(String name, Codec<A> argument, Codec<R> result) {
        return new ProcedureType<>(name, argument, result, true);
    }
}
