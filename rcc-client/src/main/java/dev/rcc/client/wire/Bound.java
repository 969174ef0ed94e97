package dev.rcc.client.wire;

/**
 * An end of a range of keys.
 *
 * @param key the key, or null if there is none: the range goes on to the table's end
 * @param isInclusive whether the key belongs to the range
 */
public record Bound(Key key, boolean isInclusive) {
    /** No bound. */
    public static final Bound NONE = new Bound(null, false);

    /** Checks that there is a key to include. */
    public Bound {
        if (key == null && isInclusive) {
            throw new IllegalArgumentException("a bound without a key includes none");
        }
    }

    /**
     * {@return the end of a range that has its last key, or its first one, in it}
     *
     * @param key that key
     * @throws IllegalArgumentException when it is null
     */
    public static Bound with(Key key) {
        return new Bound(key, true);
    }

    /**
     * {@return the end of a range that ends before a key, or begins after it}
     *
     * @param key that key; null for no end, as {@link #NONE}
     */
    public static Bound without(Key key) {
        return new Bound(key, false);
    }
}
