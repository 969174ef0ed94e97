package dev.rcc.bench.cli;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.PemFiles;
import dev.rcc.client.TokenFile;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import io.netty.handler.ssl.SslContext;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** How a command finds a cluster as clients do, and the credentials that it proves there. */
final class ConnectOptions {
    static final Option HOSTS = Option.text(
            "--hosts", "", "host:port,host:port", "Gateways of the cluster, some or all; instead of --dir.");
    static final Option DIR = Option.text(
            "--dir",
            "rcc-cluster",
            "a directory in which 'rcc cluster up' runs a cluster",
            "Where to find the gateways.");
    static final Option TOKEN_FILE = Option.text(
            "--token-file", "", "a file with the token as its first line", "Token that authenticates this client.");
    static final Option TLS_TRUST = Option.text(
            "--tls-trust",
            "",
            "a PEM file",
            "Certificates that the gateways' certificates are signed with; with them, connections are encrypted.");
    static final Option TLS_CERTIFICATE = Option.text(
            "--tls-certificate", "", "a PEM file", "Certificate that authenticates this client, with --tls-trust.");
    static final Option TLS_KEY = Option.text("--tls-key", "", "a PEM file", "The certificate's private key, PKCS #8.");
    static final Option DEADLINE = Option.integer(
            "--deadline", 10, 1, 3600, "seconds", "Time for connecting, and for each transaction with its attempts.");

    /** All options of this class. */
    static final List<Option> ALL = List.of(HOSTS, DIR, TOKEN_FILE, TLS_TRUST, TLS_CERTIFICATE, TLS_KEY, DEADLINE);

    private ConnectOptions() {}

    /** There is no cluster to connect to. */
    static final class NoCluster extends Exception {
        private static final long serialVersionUID = 1L;

        NoCluster(String message) {
            super(message);
        }
    }

    /** The gateways' addresses. */
    static String hosts(OptionValues values) throws NoCluster {
        if (values.isGiven(HOSTS)) {
            if (values.isGiven(DIR)) {
                throw values.refuse(HOSTS, "it without --dir: either says where the gateways are");
            }
            return values.text(HOSTS);
        }
        ClusterDirectory directory;
        try {
            directory = new ClusterDirectory(Path.of(values.text(DIR)));
        } catch (InvalidPathException e) {
            throw values.refuse(DIR, DIR.allowed());
        }
        List<String> clients = directory.nodes().stream()
                .flatMap(node -> node.client().stream())
                .toList();
        if (clients.isEmpty()) {
            throw new NoCluster("no cluster that takes clients runs in " + directory.path()
                    + ": start one with 'rcc cluster up --dir " + values.text(DIR)
                    + "', or say where one is with --hosts");
        }
        return String.join(",", clients);
    }

    /**
     * The options of the client.
     *
     * @throws IllegalArgumentException when a file cannot be read
     */
    static ClientOptions client(OptionValues values, String name) {
        Duration deadline = Duration.ofSeconds(values.integer(DEADLINE));
        return access(values, name).withCall(CallOptions.DEFAULT.withDeadline(deadline));
    }

    /**
     * The client's credentials for gateways, and the kind of its connections.
     *
     * @throws IllegalArgumentException when a file cannot be read
     */
    static ClientOptions access(OptionValues values, String name) {
        ClientOptions options = ClientOptions.DEFAULT.withName(name);
        if (values.isGiven(TOKEN_FILE)) {
            options = options.withToken(token(values));
        }
        if (!values.isGiven(TLS_TRUST)) {
            values.refuseGiven(
                    List.of(TLS_CERTIFICATE, TLS_KEY),
                    "it with --tls-trust, without which connections are not encrypted");
        }
        return values.isGiven(TLS_TRUST) ? options.withTls(tls(values)) : options;
    }

    private static String token(OptionValues values) {
        try {
            return TokenFile.read(Path.of(values.text(TOKEN_FILE)));
        } catch (IllegalArgumentException e) {
            throw unreadable(values, TOKEN_FILE, e);
        }
    }

    private static SslContext tls(OptionValues values) {
        if (values.isGiven(TLS_CERTIFICATE) != values.isGiven(TLS_KEY)) {
            throw values.refuse(values.isGiven(TLS_KEY) ? TLS_KEY : TLS_CERTIFICATE, "certificate and key, or neither");
        }
        if (values.isGiven(TLS_CERTIFICATE)) {
            try {
                PemFiles.checkValidNow(Path.of(values.text(TLS_CERTIFICATE)));
            } catch (IllegalArgumentException e) {
                throw values.refuse(TLS_CERTIFICATE, "a certificate that is valid now (" + e.getMessage() + ")");
            }
        }
        try {
            return PemFiles.client(
                    Path.of(values.text(TLS_TRUST)),
                    values.isGiven(TLS_KEY) ? Path.of(values.text(TLS_CERTIFICATE)) : null,
                    values.isGiven(TLS_KEY) ? Path.of(values.text(TLS_KEY)) : null);
        } catch (IllegalArgumentException e) {
            throw unreadable(values, TLS_TRUST, e);
        }
    }

    private static IllegalArgumentException unreadable(OptionValues values, Option option, Exception e) {
        return values.refuse(option, option.allowed() + " (" + e.getMessage() + ")");
    }
}
