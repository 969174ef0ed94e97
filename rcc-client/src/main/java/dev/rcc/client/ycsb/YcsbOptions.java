package dev.rcc.client.ycsb;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.PemFiles;
import dev.rcc.client.TokenFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The binding's options, from YCSB's properties. Immutable.
 *
 * @param hosts the gateways' addresses
 * @param transactionOps the number of operations in a transaction
 * @param upsert whether an insert replaces an existing record
 * @param deadlineMillis how long an operation, or its transaction, may take
 * @param attempts the most attempts at an operation, or at its transaction
 * @param connections the most connections to each gateway; 0 for one to each worker of its node
 * @param tokenFile the file with the token, or empty
 * @param tlsTrust the file of the certificates that sign the gateways' certificates, or empty
 * @param tlsCertificate the file of the client's certificate, or empty
 * @param tlsKey the file of the certificate's key, or empty
 */
record YcsbOptions(
        String hosts,
        int transactionOps,
        boolean upsert,
        int deadlineMillis,
        int attempts,
        int connections,
        String tokenFile,
        String tlsTrust,
        String tlsCertificate,
        String tlsKey) {
    private static final String PREFIX = "rcc.";
    private static final int DAY_MILLIS = 86_400_000;

    /** The properties and their defaults. */
    private enum Property {
        HOSTS("rcc.hosts", ""),
        TRANSACTION_OPS("rcc.transaction.ops", "1"),
        UPSERT("rcc.upsert", "false"),
        DEADLINE("rcc.deadline.ms", "10000"),
        ATTEMPTS("rcc.attempts", "1000"),
        CONNECTIONS("rcc.connections", "0"),
        TOKEN_FILE("rcc.token.file", ""),
        TLS_TRUST("rcc.tls.trust", ""),
        TLS_CERTIFICATE("rcc.tls.certificate", ""),
        TLS_KEY("rcc.tls.key", "");

        private final String key;
        private final String defaultValue;

        Property(String key, String defaultValue) {
            this.key = key;
            this.defaultValue = defaultValue;
        }

        String of(Properties properties) {
            return properties.getProperty(key, defaultValue).strip();
        }

        int of(Properties properties, int min, int max) {
            String given = of(properties);
            try {
                int value = Integer.parseInt(given);
                if (value >= min && value <= max) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // reported below
            }
            throw refuse(given, "an integer from " + min + " to " + max);
        }

        IllegalArgumentException refuse(String given, String allowed) {
            return new IllegalArgumentException(key + ": got '" + given + "', allowed: " + allowed);
        }
    }

    /**
     * Reads the properties.
     *
     * @throws IllegalArgumentException when a property is unknown or not allowed; the message has its name and the allowed values
     */
    static YcsbOptions of(Properties properties) {
        List<String> known =
                Arrays.stream(Property.values()).map(property -> property.key).toList();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(PREFIX) && !known.contains(key)) {
                throw new IllegalArgumentException(
                        key + ": there is no such property, allowed: " + String.join(", ", known));
            }
        }
        String hosts = Property.HOSTS.of(properties);
        if (hosts.isEmpty()) {
            throw Property.HOSTS.refuse("", "the cluster's gateways, some or all: host:port,host:port");
        }
        String upsert = Property.UPSERT.of(properties);
        if (!List.of("true", "false").contains(upsert)) {
            throw Property.UPSERT.refuse(upsert, "true or false");
        }
        return new YcsbOptions(
                hosts,
                Property.TRANSACTION_OPS.of(properties, 1, 10_000),
                Boolean.parseBoolean(upsert),
                Property.DEADLINE.of(properties, 1, DAY_MILLIS),
                Property.ATTEMPTS.of(properties, 1, Integer.MAX_VALUE),
                Property.CONNECTIONS.of(properties, 0, 64),
                Property.TOKEN_FILE.of(properties),
                Property.TLS_TRUST.of(properties),
                Property.TLS_CERTIFICATE.of(properties),
                Property.TLS_KEY.of(properties));
    }

    /**
     * The options of the client.
     *
     * @throws IllegalArgumentException when a file cannot be read, or the TLS files do not fit together
     */
    ClientOptions client() {
        CallOptions call = CallOptions.DEFAULT
                .withDeadline(Duration.ofMillis(deadlineMillis))
                .withMaxAttempts(attempts);
        ClientOptions options = ClientOptions.DEFAULT
                .withName("ycsb")
                .withCall(call)
                .withConnections(connections, ClientOptions.DEFAULT.connectTimeout());
        if (!tokenFile.isEmpty()) {
            options = options.withToken(token());
        }
        if (tlsTrust.isEmpty() && !(tlsCertificate + tlsKey).isEmpty()) {
            throw Property.TLS_TRUST.refuse(
                    "", "certificates that sign the gateways' certificates; without them, nothing is encrypted");
        }
        if (!tlsTrust.isEmpty()) {
            options = options.withTls(PemFiles.client(
                    Path.of(tlsTrust),
                    path(tlsCertificate).orElse(null),
                    path(tlsKey).orElse(null)));
        }
        return options;
    }

    private String token() {
        try {
            return TokenFile.read(Path.of(tokenFile));
        } catch (IllegalArgumentException e) {
            throw Property.TOKEN_FILE.refuse(
                    tokenFile, "a file with the token as its first line (" + e.getMessage() + ")");
        }
    }

    private static Optional<Path> path(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }
}
