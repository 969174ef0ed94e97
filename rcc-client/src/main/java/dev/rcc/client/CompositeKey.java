package dev.rcc.client;

import java.util.Arrays;
import java.util.Objects;

/**
 * A key of several parts, such as a customer's number and an order's number, for a {@link KeyType#composite} type. Keys are ordered by their first
 * parts, then by their second parts, and so on. A key with fewer parts comes before the longer keys that begin with it, and can be a range's prefix:
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
     * @param parts the first parts of the key's type, or all of them: at least one, none null
     * @throws IllegalArgumentException when there is no part
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
     * @param <P> the part's type in Java
     * @param index the part's number, from 0
     * @param type the part's type in Java
     * @throws IndexOutOfBoundsException when the key has no such part
     * @throws ClassCastException when the part is of another type
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
