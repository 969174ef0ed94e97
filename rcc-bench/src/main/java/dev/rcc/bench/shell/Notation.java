package dev.rcc.bench.shell;

import dev.rcc.client.TableDescription;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** The notation of keys and records. Shown text can be written again. */
final class Notation {
    static final String LONG_KEY = "a 64-bit integer, or 0x and up to 16 hexadecimal digits";
    private static final String TEXT =
            "text (in quotes, unless it is a plain word), or 0x and pairs of hexadecimal digits";
    private static final String HEX = "0x";
    /** The words that are text without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[\\p{Alpha}_][\\p{Alnum}_.:@/-]*");

    /** The character that Java reads in place of bytes that are not UTF-8. */
    static final char NOT_UTF8 = '\uFFFD';

    private Notation() {}

    /** The key that a word denotes in a table with 64-bit keys. */
    static long longKey(Word word) {
        try {
            if (!word.quoted()) {
                return isHex(word)
                        ? Long.parseUnsignedLong(word.text().substring(HEX.length()), 16)
                        : Long.parseLong(word.text());
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw BadCommand.given("key", word.toString(), LONG_KEY);
    }

    /** The key that a word denotes in a table with byte strings for keys. */
    static byte[] bytesKey(Word word, TableDescription table) {
        byte[] key = bytes("key", word);
        if (key.length == 0 || key.length > table.keyBytesMax()) {
            throw BadCommand.given(
                    "key",
                    word + " (" + key.length + " bytes)",
                    "1 to " + table.keyBytesMax() + " bytes in " + table.name());
        }
        return key;
    }

    /** The record that a word denotes, filled with zeros up to the record length of the table. */
    static byte[] value(Word word, TableDescription table) {
        byte[] value = bytes("value", word);
        if (value.length > table.recordBytes()) {
            throw BadCommand.given(
                    "value",
                    value.length + " bytes",
                    "at most " + table.recordBytes() + " bytes in " + table.name() + ", whose records are so long");
        }
        return Arrays.copyOf(value, table.recordBytes());
    }

    private static byte[] bytes(String what, Word word) {
        if (word.quoted() || PLAIN.matcher(word.text()).matches()) {
            return word.text().getBytes(StandardCharsets.UTF_8);
        }
        try {
            if (isHex(word)) {
                return HexFormat.of().parseHex(word.text().substring(HEX.length()));
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw BadCommand.given(what, word.toString(), TEXT);
    }

    private static boolean isHex(Word word) {
        return !word.quoted() && word.text().startsWith(HEX);
    }

    /** Bytes as text in quotes if they are text, otherwise in hexadecimal. */
    static String show(byte[] bytes) {
        return text(bytes).map(Notation::quote).orElseGet(() -> HEX + hex(bytes));
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** A record without the zeros at its end, which mostly were never written. */
    static byte[] trim(byte[] record) {
        int length = record.length;
        while (length > 0 && record[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(record, length);
    }

    /** The bytes as text, if they can be shown as text. */
    static Optional<String> text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.codePoints().allMatch(Notation::isShown) ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isShown(int c) {
        return c == '\n'
                || c == '\t'
                || !(Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || Character.getType(c) == Character.LINE_SEPARATOR
                        || Character.getType(c) == Character.PARAGRAPH_SEPARATOR
                        || !Character.isDefined(c)
                        || c == NOT_UTF8);
    }

    static String quote(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                + '"';
    }
}
