package dev.rcc.client.wire;

/**
 * An end of a range of keys.
 *
 * @param key the key, or null if there is none: the range extends to the table's beginning or end
 * @param isInclusive whether the key belongs to the range
 */
public record Bound(Key key, boolean isInclusive) {
    /** No bound. */
    public static final Bound NONE = new Bound(null, false);

    /** Checks that an inclusive bound has a key. */
    public Bound {
        if (key == null && isInclusive) {
            throw new IllegalArgumentException("a bound without a key includes none");
        }
    }

    /**
     * {@return an end of a range that includes its last or first key}
     *
     * @param key the last or first key
     * @throws IllegalArgumentException when the key is null
     */
    public static Bound with(Key key) {
        return new Bound(key, true);
    }

    /**
     * {@return an end of a range that ends before a key, or begins after it}
     *
     * @param key the key; null for no bound, as {@link #NONE}
     */
    public static Bound without(Key key) {
        return new Bound(key, false);
    }
}
