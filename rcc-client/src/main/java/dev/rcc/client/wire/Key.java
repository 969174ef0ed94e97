package dev.rcc.client.wire;

/** A record's key. */
public sealed interface Key {
    /** Longest byte-string key, in bytes. */
    int MAX_BYTES = 1024;

    /**
     * A 64-bit key.
     *
     * @param value the number; keys are ordered as signed numbers
     */
    record OfLong(long value) implements Key {}

    /**
     * A byte-string key.
     *
     * @param value the bytes, 1 to {@link #MAX_BYTES}
     */
    record OfBytes(Bytes value) implements Key {
        /** Checks the length. */
        public OfBytes {
            if (value.length() < 1 || value.length() > MAX_BYTES) {
                throw new IllegalArgumentException("a key has 1 to " + MAX_BYTES + " bytes, got " + value.length());
            }
        }
    }

    /**
     * {@return a 64-bit key}
     *
     * @param value any number
     */
    static Key of(long value) {
        return new OfLong(value);
    }

    /**
     * {@return a byte-string key}
     *
     * @param value the bytes, 1 to {@link #MAX_BYTES}; they are copied
     * @throws IllegalArgumentException when there are no bytes, or more than {@link #MAX_BYTES}
     */
    static Key of(byte[] value) {
        return new OfBytes(Bytes.copyOf(value));
    }
}
