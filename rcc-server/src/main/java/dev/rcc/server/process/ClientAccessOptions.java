package dev.rcc.server.process;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.gateway.Fences;
import dev.rcc.server.gateway.GatewayCore;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.gateway.OutcomeRecords;
import dev.rcc.server.gateway.Role;
import dev.rcc.server.gateway.User;
import dev.rcc.server.gateway.Users;
import dev.rcc.server.gateway.UsersFile;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.transport.handshake.CertificateKeys;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** The options of {@code rcc server} for clients: where they connect, and their limits. */
public final class ClientAccessOptions {
    private static final GatewayOptions DEFAULT = GatewayOptions.DEFAULT;
    private static final Message.Limits LIMITS = DEFAULT.limits();
    private static final int DAY_MILLIS = 86_400_000;
    private static final String MILLISECONDS = "milliseconds";
    private static final String LOCK_ROLE = "lock";
    private static final String PEM = "a PEM file";
    private static final Pattern USER = Pattern.compile("(?<name>[A-Za-z0-9][A-Za-z0-9_.@-]*)\\s+"
            + "(sha256=(?<hash>[0-9a-f]{64})|cn=(?<cn>\\S+))(?<grants>(\\s+(read|write|admin|lock):\\S+)+)");

    /** Where clients connect. */
    public static final Option CLIENT =
            Option.text("client", "127.0.0.1:0", "host:port; port 0 is any that is free", "where clients connect");

    static final Option ADVERTISE = Option.text(
            "client.advertise", "", "host:port", "where clients find this node, if not at the address of 'client'");
    /** The procedures that clients can call. */
    public static final Option PROCEDURES =
            Option.text("procedures", "", "a directory of jars", "the stored procedures that clients can call");

    static final Option CERTIFICATE = Option.text(
            "client.tls.certificate",
            "",
            PEM,
            "certificate that this node shows clients; with it, connections are encrypted");
    static final Option KEY =
            Option.text("client.tls.key", "", PEM, "the certificate's private key, PKCS #8, not encrypted");
    static final Option TRUST = Option.text(
            "client.tls.trust",
            "",
            PEM,
            "the certificates that clients' certificates are signed with; with them, clients must show a certificate,"
                    + " or a user's token");
    static final Option USERS = Option.text(
            "users",
            "",
            "'NAME CREDENTIAL ROLE:TABLE...' with commas, where CREDENTIAL is sha256=(hash of a token) or cn=(common"
                    + " name in a certificate), ROLE is read, write or admin, and TABLE is * for all; or lock:NAMESPACE in place of ROLE:TABLE, for the locks of a"
                    + " namespace, * for all",
            "the users that may connect, and what each may do; without it, every client may do everything");
    /** The file of users. */
    public static final Option USERS_FILE = Option.text(
            "users-file",
            "",
            "a file with a user in each line, as in 'users', and comments after #",
            "the users that may connect, instead of 'users'; the file may change while the node runs");

    static final Option PLAIN_TOKENS = Option.choice(
            "client.plain-tokens",
            "no",
            List.of("yes", "no"),
            "whether users may show tokens on connections that are not encrypted, from other machines");
    static final Option FRAME = Option.integer(
            "client.frame-bytes",
            LIMITS.frameLength(),
            2L * Wire.RECORD_BYTES_MAX,
            Wire.LENGTH_MAX,
            "bytes",
            "largest message of a client, and largest answer");
    static final Option CONNECTIONS = Option.integer(
            "client.connections",
            DEFAULT.capacity().connections(),
            1,
            1_000_000,
            "connections",
            "most connections at once");
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
            2, // an operation and its commit travel together
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
            "most bytes that a transaction writes, keys included");
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
            DEFAULT.timeouts().hello().toMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a new connection may take to send its hello");
    static final Option SLOW_READER = Option.integer(
            "client.slow-reader-ms",
            DEFAULT.timeouts().slowReader().toMillis(),
            1,
            DAY_MILLIS,
            MILLISECONDS,
            "how long a connection may leave its answers unread");
    static final Option WAITING = Option.integer(
            "client.waiting",
            DEFAULT.capacity().waiting(),
            0,
            1_000_000,
            "transactions",
            "most transactions of a worker that wait for a coroutine");
    static final Option OUTCOMES = Option.integer(
            "client.outcome-slots",
            16_384,
            0,
            1 << 24,
            "slots",
            "commits on their way at once whose outcomes the cluster keeps, the same on all nodes; 0: each node keeps"
                    + " the outcomes of its own commits in its memory");
    static final Option RETENTION = Option.integer(
            "client.outcome-seconds",
            DEFAULT.timeouts().outcomeRetention().toSeconds(),
            1,
            86_400,
            "seconds",
            "how long a client can ask for the outcome of a commit, the same on all nodes");

    static final Option RESULTS = Option.integer(
            "client.result-bytes",
            OutcomeRecords.DEFAULT_RESULT_BYTES,
            0,
            1 << 14,
            "bytes",
            "largest result of a stored procedure that the cluster keeps with the outcome, the same on all nodes");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    CLIENT,
                    ADVERTISE,
                    PROCEDURES,
                    CERTIFICATE,
                    KEY,
                    TRUST,
                    USERS,
                    USERS_FILE,
                    PLAIN_TOKENS,
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
                    OUTCOMES,
                    RETENTION,
                    RESULTS));

    private ClientAccessOptions() {}

    /** Number of tables that {@link #withOutcomes} and {@link #withFences} add. */
    static int ownTables(OptionValues values, List<LockNamespace> locks) {
        return (values.intValue(OUTCOMES) == 0 ? 0 : 1) + (locks.isEmpty() ? 0 : 1);
    }

    /** The given tables, and behind them the table in which the cluster keeps the greatest tokens of locks, if it serves locks. */
    static List<TableSchema> withFences(List<TableSchema> tables, List<LockNamespace> locks) {
        if (locks.isEmpty()) {
            return tables;
        }
        List<TableSchema> all = new ArrayList<>(tables);
        all.add(Fences.schema(tables.size(), locks));
        return all;
    }

    /** The users' tables, and behind them the table in which the cluster keeps the outcomes of commits, if it is to keep them. */
    static List<TableSchema> withOutcomes(OptionValues values, List<TableSchema> tables) {
        if (values.intValue(OUTCOMES) == 0) {
            return tables;
        }
        List<TableSchema> all = new ArrayList<>(tables);
        all.add(OutcomeRecords.schema(tables.size(), values.intValue(OUTCOMES), values.intValue(RESULTS)));
        return all;
    }

    /**
     * The options of the gateway.
     *
     * @param address where clients connect
     * @param tables the users' tables, or null if they are not known
     * @throws IllegalArgumentException for values that do not fit together; the message says what is allowed
     */
    static GatewayOptions create(OptionValues values, InetSocketAddress address, List<TableSchema> tables) {
        if (values.integer(RETENTION) * 1_000 < 4 * values.integer(LIFETIME)) {
            throw values.refuse(
                    RETENTION,
                    "at least four times '" + LIFETIME + "', " + Math.ceilDiv(4 * values.integer(LIFETIME), 1_000)
                            + ": a commit may be that late");
        }
        if (!values.isGiven(ADVERTISE) && Reachability.isWildcard(address.getHostString())) {
            throw values.refuse(
                    CLIENT,
                    "a host that clients can connect to, or also '" + ADVERTISE + "' with one, which they are sent");
        }
        Users users = users(values, address, tables);
        // A client without a certificate may show a token, now or when the file has changed.
        boolean mayShowTokens = values.isGiven(USERS_FILE) || users.haveTokens();
        return DEFAULT.withAddress(address.getHostString(), address.getPort())
                .withUsers(users, values.text(PLAIN_TOKENS).equals("yes"))
                .withTls(tls(values, mayShowTokens))
                .withLimits(new Message.Limits(
                        values.intValue(FRAME),
                        values.intValue(TRANSACTIONS),
                        values.intValue(PIPELINED),
                        values.intValue(SCAN),
                        values.intValue(WRITTEN),
                        values.intValue(IDLE),
                        values.intValue(LIFETIME)))
                .withCapacity(
                        values.intValue(CONNECTIONS),
                        values.intValue(WAITING),
                        DEFAULT.capacity().outcomes())
                .withOutcomeRetention(Duration.ofSeconds(values.integer(RETENTION)))
                .withTimeouts(
                        millis(values, HELLO),
                        millis(values, SLOW_READER),
                        DEFAULT.timeouts().close());
    }

    /**
     * The stored procedures.
     *
     * @throws IllegalArgumentException with a line for each problem with the jars
     */
    static Procedures procedures(OptionValues values) {
        return values.isGiven(PROCEDURES) ? Procedures.load(Path.of(values.text(PROCEDURES))) : Procedures.NONE;
    }

    /**
     * Checks that the results of procedures fit the gateway's answers.
     *
     * @throws IllegalArgumentException if the greatest result does not fit
     */
    static void checkRoom(OptionValues values, Procedures procedures) {
        Optional<ProcedureType<?, ?>> greatest = procedures.names().stream()
                .<ProcedureType<?, ?>>map(name -> procedures.find(name).type())
                .max(Comparator.comparingInt(GatewayCore::frameLength));
        if (greatest.isPresent() && GatewayCore.frameLength(greatest.get()) > values.integer(FRAME)) {
            throw values.refuse(
                    FRAME,
                    "at least " + GatewayCore.frameLength(greatest.get()) + " with '" + PROCEDURES + "' "
                            + values.text(PROCEDURES) + ": the result of procedure "
                            + greatest.get().name() + " has "
                            + greatest.get().result().bytes() + " bytes");
        }
    }

    private static Duration millis(OptionValues values, Option option) {
        return Duration.ofMillis(values.integer(option));
    }

    /** Watches the users' file, if there is one, while the node runs. */
    static Optional<UsersFile> usersFile(
            OptionValues values, GatewayOptions options, List<TableSchema> tables, Consumer<Users> listener) {
        if (!values.isGiven(USERS_FILE)) {
            return Optional.empty();
        }
        InetSocketAddress address = InetSocketAddress.createUnresolved(options.host(), options.port());
        return Optional.of(new UsersFile(
                Path.of(values.text(USERS_FILE)),
                options.access().users(),
                text -> usersOfFile(text, values, address, tables),
                listener));
    }

    private static Users users(OptionValues values, InetSocketAddress address, List<TableSchema> tables) {
        if (values.isGiven(USERS_FILE)) {
            if (!values.text(USERS).isBlank()) {
                throw values.refuse(USERS_FILE, "either '" + USERS_FILE + "' or '" + USERS + "', not both");
            }
            try {
                return usersOfFile(UsersFile.read(Path.of(values.text(USERS_FILE))), values, address, tables);
            } catch (InvalidPathException e) {
                throw values.refuse(USERS_FILE, USERS_FILE.allowed());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        USERS_FILE + ": got '" + values.text(USERS_FILE) + "', " + e.getMessage(), e);
            }
        } else if (!values.isGiven(USERS)) {
            return Users.UNCHECKED;
        } else if (values.text(USERS).isBlank()) { // as from an empty list, which must not admit everybody
            throw values.refuse(USERS, "a user at least, as without '" + USERS + "' every client may do everything");
        }
        List<User> users = new ArrayList<>();
        for (String text : values.text(USERS).split(",", -1)) {
            try {
                users.add(user(text.strip(), tables, namespaces(values)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(USERS + ": " + e.getMessage(), e);
            }
        }
        try {
            return together(users, values, address);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(USERS + ": got '" + values.text(USERS) + "', " + e.getMessage(), e);
        }
    }

    private static Users usersOfFile(
            String text, OptionValues values, InetSocketAddress address, List<TableSchema> tables) {
        List<User> users = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String user = line.replaceFirst("#.*", "").strip();
            if (!user.isEmpty()) {
                try {
                    users.add(user(user, tables, namespaces(values)));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
                }
            }
        }
        return together(users, values, address);
    }

    /** Users with distinct credentials, of a kind that can be checked here. */
    private static Users together(List<User> list, OptionValues values, InetSocketAddress address) {
        Users users = Users.of(list);
        checkCredentials(values, address, users);
        return users;
    }

    private static User user(String text, List<TableSchema> tables, List<LockNamespace> namespaces) {
        var matcher = USER.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("got '" + text + "', allowed: " + USERS.allowed());
        }
        Map<String, Role> roles = new LinkedHashMap<>();
        Set<String> locks = new LinkedHashSet<>();
        for (String grant : matcher.group("grants").strip().split("\\s+", -1)) {
            int colon = grant.indexOf(':');
            String table = grant.substring(colon + 1);
            if (grant.substring(0, colon).equals(LOCK_ROLE)) {
                locks.add(namespace(text, table, namespaces));
                continue;
            }
            if (tables != null
                    && !table.equals(User.ALL_TABLES)
                    && tables.stream().noneMatch(known -> known.name().equals(table))) {
                throw new IllegalArgumentException("got '" + text + "', allowed: tables of '" + ServerOptions.TABLES
                        + "' or " + User.ALL_TABLES + ", there is no " + table);
            }
            Role role = Stream.of(Role.values())
                    .filter(each -> each.label().equals(grant.substring(0, colon)))
                    .findFirst()
                    .orElseThrow();
            if (roles.put(table, role) != null) {
                throw new IllegalArgumentException(
                        "got '" + text + "', allowed: one role on each table, the greatest that is needed");
            }
        }
        return new User(
                matcher.group("name"),
                Optional.ofNullable(matcher.group("hash")).orElse(""),
                Optional.ofNullable(matcher.group("cn")).orElse(""),
                roles,
                locks);
    }

    private static String namespace(String user, String given, List<LockNamespace> namespaces) {
        if (!given.equals(User.ALL_TABLES)
                && namespaces.stream().noneMatch(known -> known.name().equals(given))) {
            throw new IllegalArgumentException("got '" + user + "', allowed: namespaces of '" + ServerOptions.LOCKS
                    + "' or " + User.ALL_TABLES + ", there is no " + given);
        }
        return given;
    }

    /** The configured namespaces; none if their option is invalid, which is reported elsewhere. */
    private static List<LockNamespace> namespaces(OptionValues values) {
        try {
            return LockNamespace.parseAll(values.text(ServerOptions.LOCKS));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static void checkCredentials(OptionValues values, InetSocketAddress address, Users users) {
        if (users.haveCertificates() && !values.isGiven(TRUST)) {
            throw new IllegalArgumentException(
                    "allowed: certificates only together with '" + TRUST + "', by which they are checked");
        }
        boolean isEncrypted = values.isGiven(CERTIFICATE) || values.isGiven(KEY);
        if (users.haveTokens()
                && !isEncrypted
                && !isLoopback(address)
                && values.text(PLAIN_TOKENS).equals("no")) {
            throw new IllegalArgumentException("allowed: tokens only with '" + CERTIFICATE + "', or where '" + CLIENT
                    + "' is on loopback, or with '" + PLAIN_TOKENS
                    + ": yes', with which all on the network path can read them");
        }
    }

    private static boolean isLoopback(InetSocketAddress address) {
        return PeerTrust.isLoopback(address.getHostString());
    }

    /** An option that authenticates clients or encrypts their connections, if one is given. */
    static Optional<Option> protecting(OptionValues values) {
        return Stream.of(USERS, USERS_FILE, CERTIFICATE, TRUST)
                .filter(option -> values.isGiven(option) && !values.text(option).isBlank())
                .findFirst();
    }

    /** The TLS context of connections, or null; {@code mayShowTokens}: whether a client without a certificate may show a token. */
    private static SslContext tls(OptionValues values, boolean mayShowTokens) {
        if (!values.isGiven(CERTIFICATE) && !values.isGiven(KEY) && !values.isGiven(TRUST)) {
            return null;
        }
        for (Option option : List.of(CERTIFICATE, KEY, TRUST)) {
            boolean isNeeded = option != TRUST || values.isGiven(TRUST);
            if (isNeeded
                    && (!values.isGiven(option)
                            || !Path.of(values.text(option)).toFile().canRead())) {
                throw values.refuse(
                        option, "a PEM file that can be read; '" + CERTIFICATE + "' and '" + KEY + "' go together");
            }
        }
        SslContext context;
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            Path.of(values.text(CERTIFICATE)).toFile(),
                            Path.of(values.text(KEY)).toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3");
            if (values.isGiven(TRUST)) {
                builder.trustManager(Path.of(values.text(TRUST)).toFile())
                        .clientAuth(mayShowTokens ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE);
            }
            context = builder.build();
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
        if (!CertificateKeys.fit(Path.of(values.text(CERTIFICATE)), Path.of(values.text(KEY)))) {
            throw values.refuse(KEY, "the private key of '" + CERTIFICATE + "'");
        }
        PeerTrust.checkValidNow(values, CERTIFICATE);
        return context;
    }
}
