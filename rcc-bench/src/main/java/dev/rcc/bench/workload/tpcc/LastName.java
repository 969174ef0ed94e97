package dev.rcc.bench.workload.tpcc;

import java.nio.charset.StandardCharsets;

/** Customers' last names: three syllables, one for each digit of a number from 0 to 999 (4.3.2.3). */
final class LastName {
    private static final byte[][] SYLLABLES = {
        ascii("BAR"), ascii("OUGHT"), ascii("ABLE"), ascii("PRI"), ascii("PRES"),
        ascii("ESE"), ascii("ANTI"), ascii("CALLY"), ascii("ATION"), ascii("EING")
    };

    private LastName() {}

    /** Writes the name with this number, followed by zeros, into {@link CustomerLayout#LAST_BYTES} bytes. */
    static void write(int number, byte[] target, int offset) {
        int end = syllable(number / 100, target, offset);
        end = syllable(number / 10 % 10, target, end);
        end = syllable(number % 10, target, end);
        while (end < offset + CustomerLayout.LAST_BYTES) {
            target[end++] = 0;
        }
    }

    private static int syllable(int digit, byte[] target, int offset) {
        byte[] syllable = SYLLABLES[digit];
        for (int i = 0; i < syllable.length; i++) {
            target[offset + i] = syllable[i];
        }
        return offset + syllable.length;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
