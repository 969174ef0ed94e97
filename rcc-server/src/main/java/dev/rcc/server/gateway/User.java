package dev.rcc.server.gateway;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A user of the gateway, known by a token or by a certificate.
 *
 * @param name the user's name in messages
 * @param tokenHash the SHA-256 of the token's UTF-8, 64 hexadecimal digits; empty for a user that is known by a certificate
 * @param commonName the common name in the certificate's subject; empty for a user that is known by a token
 * @param roles the roles, by table; {@value #ALL_TABLES} stands for all
 * @param lockNamespaces the namespaces whose locks the user may hold; {@value #ALL_TABLES} stands for all
 */
public record User(
        String name, String tokenHash, String commonName, Map<String, Role> roles, Set<String> lockNamespaces) {
    /** Stands for all tables. */
    public static final String ALL_TABLES = "*";

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Checks that the user has exactly one credential and at least one permission. */
    public User {
        roles = Map.copyOf(roles);
        lockNamespaces = Set.copyOf(lockNamespaces);
        if (name.isEmpty() || (roles.isEmpty() && lockNamespaces.isEmpty())) {
            throw new IllegalArgumentException("a user has a name and a role on some table or namespace of locks, got '"
                    + name + "' " + roles + " " + lockNamespaces);
        }
        if (tokenHash.isEmpty() == commonName.isEmpty()) {
            throw new IllegalArgumentException(
                    "user " + name + " must be known by a token or by a certificate, not both");
        }
        if (!tokenHash.isEmpty() && !HASH.matcher(tokenHash).matches()) {
            throw new IllegalArgumentException("user " + name
                    + ": the hash of a token has 64 hexadecimal digits in lower case, got '" + tokenHash + "'");
        }
    }

    /** A user that holds no locks. */
    public User(String name, String tokenHash, String commonName, Map<String, Role> roles) {
        this(name, tokenHash, commonName, roles, Set.of());
    }

    /** Whether the user may hold locks of a namespace. */
    boolean mayLock(String namespace) {
        return lockNamespaces.contains(namespace) || lockNamespaces.contains(ALL_TABLES);
    }

    /** Whether the user may change records of some table, or fence transactions by locks. */
    boolean mayChangeSomething() {
        return !lockNamespaces.isEmpty() || roles.values().stream().anyMatch(role -> role.includes(Role.WRITE));
    }

    /** The user's role on a table, if there is one. */
    Optional<Role> role(String table) {
        Role own = roles.get(table);
        Role general = roles.get(ALL_TABLES);
        return Optional.ofNullable(own == null || (general != null && general.includes(own)) ? general : own);
    }
}
