package dev.rcc.client;

import dev.rcc.client.wire.Wire;
import java.io.IOException;
import java.io.InputStream;
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

    /** What bytes that are not UTF-8 are decoded to. */
    private static final char NOT_UTF_8 = '\uFFFD';

    private TokenFile() {}

    /**
     * {@return the token in a file, without the blanks around it}
     *
     * @param file a text in UTF-8 with the token as its first line; further lines are ignored
     * @throws IllegalArgumentException when the file cannot be read, its first line is blank, or the token has more than 512 characters; the
     *     message says which, and has no part of the file
     */
    public static String read(Path file) {
        String token = new String(bytes(file), StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        if (token.isEmpty()) {
            throw new IllegalArgumentException("the first line of the file is blank");
        }
        if (token.length() > Wire.TOKEN_CHARACTERS_MAX) {
            throw new IllegalArgumentException("a token has at most " + Wire.TOKEN_CHARACTERS_MAX
                    + " characters, the first line of the file has more");
        }
        if (token.indexOf(NOT_UTF_8) >= 0) {
            throw new IllegalArgumentException("the first line of the file is not a text in UTF-8");
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
