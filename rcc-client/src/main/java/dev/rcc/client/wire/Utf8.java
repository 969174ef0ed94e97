package dev.rcc.client.wire;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Texts as bytes, so that different texts have different bytes. */
public final class Utf8 {
    private Utf8() {}

    /**
     * {@return the bytes of a text in UTF-8}
     *
     * @param what names the text in the message, as in "a key"
     * @param text whole characters
     * @throws IllegalArgumentException as {@link #check}
     */
    public static byte[] bytes(String what, String text) {
        check(what, text);
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Checks that UTF-8 can express a text. Java would write a question mark for half of a surrogate pair.
     *
     * @param what names the text in the message, as in "a key"
     * @param text whole characters
     * @throws IllegalArgumentException when the text has half of a surrogate pair
     */
    public static void check(String what, String text) {
        int i = 0;
        while (i < text.length()) {
            int character = text.codePointAt(i);
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(what + " has whole characters only, got half of a surrogate pair, U+"
                        + Integer.toHexString(character).toUpperCase(Locale.ROOT) + ", at index " + i
                        + ": UTF-8 cannot express it");
            }
            i += Character.charCount(character);
        }
    }
}
