package dev.rcc.server.gateway;

import dev.rcc.client.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The users that are admitted, and their permissions. Immutable. */
public final class Users {
    /** No user is checked: every client that reaches the gateway may connect and do everything. */
    public static final Users UNCHECKED = new Users(List.of());

    private static final User UNCHECKED_USER =
            new User("anybody", "", "*", Map.of(User.ALL_TABLES, Role.ADMIN), Set.of(User.ALL_TABLES));

    private final List<User> users;

    private Users(List<User> users) {
        this.users = users;
    }

    /**
     * Admits only these users.
     *
     * @throws IllegalArgumentException if there are none, or two that cannot be told apart
     */
    public static Users of(List<User> users) {
        if (users.isEmpty()) {
            throw new IllegalArgumentException("there must be a user, or no client could connect");
        }
        if (users.stream().map(User::name).distinct().count() < users.size()
                || users.stream()
                                .map(user -> user.tokenHash() + "/" + user.commonName())
                                .distinct()
                                .count()
                        < users.size()) {
            throw new IllegalArgumentException("each user has a name, and a token or certificate, of its own");
        }
        return new Users(List.copyOf(users));
    }

    /**
     * The hash that is kept of a token: its SHA-256, as 64 hexadecimal digits. Tokens are random and long, so the hash needs no salt.
     *
     * @throws IllegalArgumentException when the token has half of a surrogate pair, so that it would have the hash of another
     */
    public static String hash(String token) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Utf8.bytes("a token", token)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The users; none if clients need not authenticate. */
    List<User> list() {
        return users;
    }

    /** Whether some users are known by tokens. */
    public boolean haveTokens() {
        return users.stream().anyMatch(user -> !user.tokenHash().isEmpty());
    }

    /** Whether some users are known by certificates. */
    public boolean haveCertificates() {
        return users.stream().anyMatch(user -> !user.commonName().isEmpty());
    }

    /** Whether clients need not authenticate. */
    public boolean isOpen() {
        return users.isEmpty();
    }

    /** The present user with the token or certificate of {@code user}; empty if that is not known any more. */
    Optional<User> again(User user) {
        if (isOpen()) {
            return Optional.of(UNCHECKED_USER);
        }
        return users.stream()
                .filter(each -> each.tokenHash().equals(user.tokenHash())
                        && each.commonName().equals(user.commonName()))
                .findFirst();
    }

    /**
     * The user with this token or certificate.
     *
     * @param token a token, or empty
     * @param commonName the common name in a trusted certificate, if one was shown
     * @return empty if neither is known, or if an unknown token is shown, whatever the certificate
     */
    Optional<User> find(String token, Optional<String> commonName) {
        if (isOpen()) {
            return Optional.of(UNCHECKED_USER);
        } else if (token.isEmpty()) {
            return commonName
                    .filter(name -> !name.isEmpty())
                    .flatMap(name -> users.stream() // users with tokens have no name
                            .filter(user -> user.commonName().equals(name))
                            .findFirst());
        }
        byte[] shown = hash(token).getBytes(StandardCharsets.US_ASCII);
        return users.stream()
                .filter(user -> MessageDigest.isEqual( // in a time independent of the match
                        shown, user.tokenHash().getBytes(StandardCharsets.US_ASCII)))
                .findFirst();
    }
}
