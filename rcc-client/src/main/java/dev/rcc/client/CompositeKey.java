package dev.rcc.client;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key of several parts, such as a customer's number and that of an order: of {@link KeyType#composite}. Keys are in the order of their first parts, where these are the
 * same in that of their second ones, and so on. One with fewer parts comes before those that go on; it is the beginning of a range,
 * {@code KeyRange.prefix(CompositeKey.of(7L))}. Immutable, if its byte arrays are not changed.
 */
public final class CompositeKey {
    private final Object[] parts;

    private CompositeKey(Object[] parts) {
        this.parts = parts;
    }

    /**
     * {@return a key of these parts}
     *
     * @param parts the first parts of the key's type, or all: at least one, none of them null
     * @throws IllegalArgumentException when there is none
     */
    public static CompositeKey of(Object... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("a composite key has at least one part");
        }
        for (Object part : parts) {
            Objects.requireNonNull(part, "part");
        }
        return new CompositeKey(parts.clone());
    }

    /** {@return the number of parts} */
    public int size() {
        return parts.length;
    }

    /**
     * {@return a part}
     *
     * @param <P> its type in Java, as the key's type has it
     * @param index its number, from 0
     * @param type its type in Java
     * @throws IndexOutOfBoundsException when there are not so many
     * @throws ClassCastException when it is of another type
     */
    public <P> P part(int index, Class<P> type) {
        return type.cast(parts[Objects.checkIndex(index, parts.length)]);
    }

    Object part(int index) {
        return parts[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CompositeKey that && Arrays.deepEquals(parts, that.parts);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(parts);
    }

    /** The parts, for people. */
    @Override
    public String toString() {
        return Arrays.deepToString(parts);
    }
}
