package dev.rcc.client;

import dev.rcc.client.wire.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a token for {@link ClientOptions#withToken} from a file. A file without a token does not count as no token, with which the client would be
 * another user, or nobody.
 */
public final class TokenFile {
    /** The bytes that are read of a longer file: more than a token with its line feed. */
    private static final int BYTES_MAX = 2 * Wire.TEXT_BYTES_MAX;

    private TokenFile() {}

    /**
     * {@return the token in a file, without the blanks around it}
     *
     * @param file a text in UTF-8 with the token as its only line; blank lines may follow
     * @throws IllegalArgumentException when the file cannot be read, is empty, has several lines, or has a token of more than 512 characters; the
     *     message says which, and has no part of the file
     */
    public static String read(Path file) {
        byte[] bytes = bytes(file);
        // Not yet checked: the last character of the part that was read may be cut off.
        String text = new String(bytes, StandardCharsets.UTF_8);
        String token = text.lines().findFirst().orElse("").strip();
        if (text.isBlank()) {
            throw new IllegalArgumentException("the file is " + (bytes.length == 0 ? "empty" : "blank"));
        }
        if (token.isEmpty()) {
            throw new IllegalArgumentException("the first line of the file is blank");
        }
        if (text.lines().skip(1).anyMatch(line -> !line.isBlank())) {
            throw new IllegalArgumentException("the file has several lines");
        }
        if (bytes.length > BYTES_MAX || token.length() > Wire.TOKEN_CHARACTERS_MAX) {
            throw new IllegalArgumentException(
                    "a token has at most " + Wire.TOKEN_CHARACTERS_MAX + " characters, the file has more");
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the file is not a text in UTF-8", e);
        }
        return token;
    }

    private static byte[] bytes(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(BYTES_MAX + 1);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file cannot be read: " + e, e);
        }
    }
}
