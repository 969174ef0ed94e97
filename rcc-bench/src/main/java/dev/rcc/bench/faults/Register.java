package dev.rcc.bench.faults;

import dev.rcc.client.Codec;
import java.nio.ByteBuffer;

/**
 * A record of the load: a version, and bytes that follow from it, so that a partly written record is detected.
 *
 * @param version the record's number of writes, and the attempt that wrote it last
 * @param isWhole whether all bytes belong to the version
 */
record Register(long version, boolean isWhole) {
    private static final int ATTEMPT_BITS = 32;
    private static final long ATTEMPT_MASK = (1L << ATTEMPT_BITS) - 1;
    private static final long STEP = 0x9E3779B97F4A7C15L;

    /** The version that an attempt writes after another version. */
    static long next(long before, int attempt) {
        return ((before >>> ATTEMPT_BITS) + 1) << ATTEMPT_BITS | Integer.toUnsignedLong(attempt);
    }

    /** The attempt that wrote a version. */
    static int attempt(long version) {
        return (int) (version & ATTEMPT_MASK);
    }

    /** A version for people. */
    static String name(long version) {
        return (version >>> ATTEMPT_BITS) + " (of attempt " + Integer.toUnsignedString(attempt(version)) + ")";
    }

    /** The codec of records of so many bytes, a multiple of eight. */
    static Codec<Register> codec(int bytes) {
        return new Codec<>() {
            @Override
            public int bytes() {
                return bytes;
            }

            @Override
            public void encode(Register value, ByteBuffer target) {
                for (int i = 0; i < bytes / Long.BYTES; i++) {
                    target.putLong(word(value.version(), i));
                }
            }

            @Override
            public Register decode(ByteBuffer source) {
                long version = source.getLong();
                boolean isWhole = true;
                for (int i = 1; i < bytes / Long.BYTES; i++) {
                    isWhole &= source.getLong() == word(version, i);
                }
                return new Register(version, isWhole);
            }
        };
    }

    private static long word(long version, int i) {
        return i == 0 ? version : (version ^ i) * STEP;
    }
}
