package dev.rcc.bench.cli;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.server.gateway.GatewayOptions;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** The options of {@code rcc server} about clients: where they come in, and what is put up with from them. */
final class ClientAccessOptions {
    private static final GatewayOptions DEFAULT = GatewayOptions.DEFAULT;
    private static final Message.Limits LIMITS = DEFAULT.limits();
    private static final int DAY_MILLIS = 86_400_000;
    private static final String MILLISECONDS = "milliseconds";
    private static final String PEM = "a PEM file";

    static final Option CLIENT =
            Option.text("client", "127.0.0.1:0", "host:port; port 0 is any that is free", "where clients connect");
    static final Option ADVERTISE = Option.text(
            "client.advertise", "", "host:port", "where clients find this node, if not at the address of 'client'");
    static final Option CERTIFICATE = Option.text(
            "client.tls.certificate",
            "",
            PEM,
            "certificate that clients are shown; with it, connections are encrypted");
    static final Option KEY =
            Option.text("client.tls.key", "", PEM, "the certificate's private key, PKCS #8, not encrypted");
    static final Option TRUST = Option.text(
            "client.tls.trust",
            "",
            PEM,
            "the certificates that clients' are signed with; with it, clients must show one");
    static final Option FRAME = Option.integer(
            "client.frame-bytes",
            LIMITS.frameLength(),
            2L * Wire.RECORD_BYTES_MAX,
            Wire.LENGTH_MAX,
            "bytes",
            "largest message of a client, and largest answer");
    static final Option CONNECTIONS = Option.integer(
            "client.connections", DEFAULT.connections(), 1, 1_000_000, "connections", "most connections at once");
    static final Option TRANSACTIONS = Option.integer(
            "client.transactions",
            LIMITS.transactions(),
            1,
            1_000_000,
            "transactions",
            "most open transactions of a connection");
    static final Option PIPELINED = Option.integer(
            "client.pipelined",
            LIMITS.pipelined(),
            1,
            1_000_000,
            "requests",
            "most requests of a transaction without an answer");
    static final Option SCAN = Option.integer(
            "client.scan-records",
            LIMITS.scanRecords(),
            1,
            100_000_000,
            "records",
            "most records in one answer to a scan");
    static final Option WRITTEN = Option.integer(
            "client.transaction-bytes",
            LIMITS.transactionBytes(),
            1,
            1 << 30,
            "bytes",
            "most that a transaction writes, keys included");
    static final Option IDLE = Option.integer(
            "client.idle-ms",
            LIMITS.idleMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a transaction may wait for its client");
    static final Option LIFETIME = Option.integer(
            "client.lifetime-ms",
            LIMITS.lifetimeMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a transaction may take in all");
    static final Option HELLO = Option.integer(
            "client.hello-ms",
            DEFAULT.helloTimeout().toMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a new connection may take to say who it is");
    static final Option SLOW_READER = Option.integer(
            "client.slow-reader-ms",
            DEFAULT.slowReaderTimeout().toMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a connection may leave its answers unread");
    static final Option WAITING = Option.integer(
            "client.waiting",
            DEFAULT.waiting(),
            0,
            1_000_000,
            "transactions",
            "most transactions of a worker that wait for a coroutine");
    static final Option OUTCOMES = Option.integer(
            "client.outcomes",
            DEFAULT.outcomes(),
            1,
            100_000_000,
            "commits",
            "how many commits' outcomes are remembered");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    CLIENT,
                    ADVERTISE,
                    CERTIFICATE,
                    KEY,
                    TRUST,
                    FRAME,
                    CONNECTIONS,
                    TRANSACTIONS,
                    PIPELINED,
                    SCAN,
                    WRITTEN,
                    IDLE,
                    LIFETIME,
                    HELLO,
                    SLOW_READER,
                    WAITING,
                    OUTCOMES));

    private ClientAccessOptions() {}

    /**
     * What lets clients in.
     *
     * @param address where they connect
     * @throws IllegalArgumentException for values that do not fit together, with what is allowed
     */
    static GatewayOptions create(OptionValues values, InetSocketAddress address) {
        if (!values.isGiven(ADVERTISE) && isWildcard(address)) {
            throw values.refuse(
                    CLIENT,
                    "a host that clients can connect to, or also '" + ADVERTISE + "' with one: they are told it");
        }
        return DEFAULT.withAddress(address.getHostString(), address.getPort())
                .withTls(tls(values))
                .withLimits(new Message.Limits(
                        values.intValue(FRAME),
                        values.intValue(TRANSACTIONS),
                        values.intValue(PIPELINED),
                        values.intValue(SCAN),
                        values.intValue(WRITTEN),
                        values.intValue(IDLE),
                        values.intValue(LIFETIME)))
                .withCapacity(values.intValue(CONNECTIONS), values.intValue(WAITING), values.intValue(OUTCOMES))
                .withTimeouts(millis(values, HELLO), millis(values, SLOW_READER), DEFAULT.closeTimeout());
    }

    private static boolean isWildcard(InetSocketAddress address) {
        try {
            return InetAddress.getByName(address.getHostString()).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false; // told when it is listened at
        }
    }

    private static Duration millis(OptionValues values, Option option) {
        return Duration.ofMillis(values.integer(option));
    }

    /** What encrypts connections, or null. */
    private static SslContext tls(OptionValues values) {
        if (!values.isGiven(CERTIFICATE) && !values.isGiven(KEY) && !values.isGiven(TRUST)) {
            return null;
        }
        for (Option option : List.of(CERTIFICATE, KEY, TRUST)) {
            boolean isNeeded = option != TRUST || values.isGiven(TRUST);
            if (isNeeded && !Path.of(values.text(option)).toFile().canRead()) {
                throw values.refuse(
                        option, "a PEM file that can be read; '" + CERTIFICATE + "' and '" + KEY + "' go together");
            }
        }
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            Path.of(values.text(CERTIFICATE)).toFile(),
                            Path.of(values.text(KEY)).toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3");
            if (values.isGiven(TRUST)) {
                builder.trustManager(Path.of(values.text(TRUST)).toFile()).clientAuth(ClientAuth.REQUIRE);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "%s: got '%s', allowed: PEM files that fit together, the key unencrypted PKCS #8 (%s)",
                            CERTIFICATE,
                            values.text(CERTIFICATE),
                            e.getMessage()),
                    e);
        }
    }
}
