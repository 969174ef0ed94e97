package dev.rcc.server.process;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.LockSettings;
import dev.rcc.server.config.Replications;
import dev.rcc.server.durability.DurabilityOptions;
import dev.rcc.server.durability.NodeDurability;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.gateway.Users;
import dev.rcc.server.gateway.UsersFile;
import dev.rcc.server.locks.NodeLocks;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.server.raft.RaftOptions;
import dev.rcc.transport.control.ControlOptions;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.control.TlsOptions;
import dev.rcc.transport.handshake.ClusterSecrets;
import dev.rcc.transport.network.FabricProvider;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The configuration of a server process, checked as a whole.
 *
 * @param values all options as they were given or by default
 * @param node this node's number
 * @param peers the address of each node
 * @param listen where this node listens for its peers
 * @param admin where administrators connect
 * @param gateway the options of the gateway
 * @param procedures the stored procedures that clients can call
 * @param birth when the cluster was born
 * @param network the network between the nodes
 * @param secrets the secrets that nodes prove to each other to know
 * @param tls the certificates by which nodes authenticate each other, if they do
 * @param faults the delays that are added to the links, if any
 * @param cluster the configuration of the cluster
 */
public record ServerConfig(
        OptionValues values,
        int node,
        List<InetSocketAddress> peers,
        InetSocketAddress listen,
        InetSocketAddress admin,
        GatewayOptions gateway,
        Procedures procedures,
        Instant birth,
        FabricProvider network,
        ClusterSecrets secrets,
        Optional<TlsOptions> tls,
        Optional<LinkFaults> faults,
        ClusterConfig cluster) {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\s]+):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PEERS = 256;

    /** A configuration that cannot be run. The message has a line for each problem. */
    public static final class Problems extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        Problems(List<String> problems) {
            super(String.join("\n", problems));
        }
    }

    /**
     * Checks all options that were given.
     *
     * @throws Problems which names every problem: the key, the given value, and the allowed values
     */
    public static ServerConfig of(Map<String, String> given) {
        return of(given, PeerTrust::secrets);
    }

    /**
     * Checks the options of a node of a cluster that is not made yet, as {@link #of(Map)} does. It does not check the file with the secret, which
     * does not exist yet.
     *
     * @throws Problems as {@link #of(Map)}
     */
    public static ServerConfig ofUnborn(Map<String, String> given) {
        return of(given, (_, _, _) -> ClusterSecrets.NONE);
    }

    /** Reads the secrets of a node that listens for its peers. */
    private interface SecretsReader {
        ClusterSecrets read(OptionValues values, List<InetSocketAddress> peers, InetSocketAddress listen);
    }

    private static ServerConfig of(Map<String, String> given, SecretsReader reader) {
        List<String> problems = new ArrayList<>(ServerOptions.TABLE.problems(given));
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        OptionValues values = ServerOptions.TABLE.parse(given);
        Checks checks = new Checks(problems);
        List<InetSocketAddress> peers = checks.get(() -> peers(values));
        Integer node = checks.get(() -> node(values, peers));
        InetSocketAddress listen = checks.get(() -> values.isGiven(ServerOptions.LISTEN)
                ? address(values, ServerOptions.LISTEN, values.text(ServerOptions.LISTEN))
                : peers == null || node == null ? null : peers.get(node));
        InetSocketAddress admin =
                checks.get(() -> address(values, ServerOptions.ADMIN, values.text(ServerOptions.ADMIN)));
        Procedures procedures = checks.get(() -> ClientAccessOptions.procedures(values));
        if (procedures != null) {
            checks.run(() -> ClientAccessOptions.checkRoom(values, procedures));
        }
        Instant birth = checks.get(() -> birth(values));
        Optional<TlsOptions> tls = checks.get(() -> tls(values));
        if (tls != null && tls.isPresent() && node != null) {
            checks.run(() -> PeerTrust.checkOfNode(values, tls.get(), node));
        }
        ClusterSecrets secrets =
                peers == null || listen == null ? null : checks.get(() -> reader.read(values, peers, listen));
        if (peers != null && listen != null) {
            checks.run(() -> PeerTrust.checkAskedOfPeers(values, peers, listen));
        }
        FabricProvider inside = checks.get(
                () -> Networks.byName(values.text(ServerOptions.FABRIC)).with(values));
        Zones zones = peers == null
                ? null
                : checks.get(
                        () -> Datacenters.parse(Datacenters.OPTION, values.text(Datacenters.OPTION), peers.size()));
        FabricProvider network = inside == null || zones == null
                ? inside
                : checks.get(() -> FabricOptions.network(
                        inside, values, ServerOptions.BETWEEN, Datacenters.OPTION, values, zones));
        if (network != null && peers != null && zones != null) {
            checks.run(() -> checkNearEnough(values, peers, zones, inside, network));
        }
        if (network != null && peers != null && zones != null && node != null) {
            checks.run(() -> Reachability.checkByPeers(values, node, peers, zones, inside, network));
        }
        Optional<LinkFaults> faults =
                node == null || zones == null ? null : checks.get(() -> faults(values, node, zones, inside, network));
        checks.run(() -> checkTimes(values));
        Protocol protocol = checks.get(
                () -> Protocols.byName(values.text(ServerOptions.PROTOCOL)).with(values));
        HybridCode code = protocol == null ? null : checks.get(() -> code(values, protocol, network));
        List<TableSchema> tables = checks.get(() -> tables(values, network));
        GatewayOptions gateway = checks.get(() -> gateway(values, tables));
        ClusterConfig cluster = protocol == null || code == null || tables == null || zones == null || node == null
                ? null
                : checks.get(() -> cluster(
                        values,
                        node,
                        peers,
                        protocol,
                        code,
                        tables,
                        zones,
                        network == null ? Primitive.ONE_SIDED : network.suitable()));
        if (!problems.isEmpty()) {
            throw new Problems(problems);
        }
        return new ServerConfig(
                values,
                node,
                peers,
                listen,
                admin,
                gateway,
                procedures,
                birth,
                complete(network, tls, faults),
                secrets,
                tls,
                faults,
                cluster);
    }

    /** Gathers all problems instead of ending at the first. */
    private record Checks(List<String> problems) {
        void run(Runnable check) {
            get(() -> {
                check.run();
                return true;
            });
        }

        /** A value that is read from checked options; null if there is a problem with them. */
        <T> T get(Supplier<T> value) {
            try {
                return value.get();
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage());
                return null;
            }
        }
    }

    /** The address at which clients connect, {@code host:port}, if it is not the address at which the node listens; otherwise empty. */
    public String advertised() {
        return values.text(ClientAccessOptions.ADVERTISE);
    }

    /** All options as they are in effect. */
    public Map<String, String> effective() {
        Map<String, String> effective = new LinkedHashMap<>(values.asMap());
        effective.put(ServerOptions.REPLICAS.key(), Integer.toString(cluster.replicas()));
        effective.put(ServerOptions.COROUTINES.key(), Integer.toString(cluster.coroutines()));
        if (cluster.waits().recoveryNanos() == 0) {
            effective.put(ServerOptions.RECOVERY.key(), "0");
        }
        return effective;
    }

    /**
     * The birth of the data on the node's disk, if there is any: it is the birth of its cluster, whichever is configured.
     *
     * @throws UncheckedIOException when the data cannot be read
     */
    public Optional<Instant> birthOfData() {
        if (cluster.durability() == null) {
            return Optional.empty();
        }
        return NodeDurability.birthWallNanos(cluster.durability(), node).stream()
                .mapToObj(nanos -> Instant.ofEpochSecond(0, nanos))
                .findFirst();
    }

    /**
     * The birth from which the node's timestamps count: that of its data, or else the configured one.
     *
     * @throws UncheckedIOException when the data cannot be read
     */
    Instant birthInEffect() {
        return birthOfData().orElse(birth);
    }

    /** The options of the node's control channel, for a new incarnation of the node that runs {@code config}. */
    ControlOptions control(ClusterConfig config) {
        ControlOptions options = ControlOptions.of(values.text(ServerOptions.CLUSTER), node, peers.size())
                .withConfiguration(digest(config))
                .withSecrets(secrets)
                .withTimes(heartbeat(values), failure(values));
        ControlOptions trusted = tls.map(options::withTls).orElse(options);
        return faults.map(trusted::withFaults).orElse(trusted);
    }

    /**
     * Checks that nodes which share resources of a host are on one host: all nodes, or the nodes of each data centre if another network connects data
     * centres.
     */
    private static void checkNearEnough(
            OptionValues values,
            List<InetSocketAddress> peers,
            Zones zones,
            FabricProvider inside,
            FabricProvider network) {
        if (inside.sharedNameOption().isEmpty()) {
            return;
        }
        boolean isOnly = network.equals(inside);
        Zones apart = isOnly ? Zones.single(peers.size()) : zones;
        for (int zone = 0; zone < apart.count(); zone++) {
            List<String> hosts = apart.nodes(zone).stream()
                    .map(node -> Reachability.host(peers.get(node)))
                    .distinct()
                    .toList();
            if (hosts.size() > 1) {
                String able = networks(other -> other.sharedNameOption().isEmpty());
                throw values.refuse(
                        ServerOptions.FABRIC,
                        able + " where nodes that meet on it are on several hosts, as "
                                + (isOnly ? "they are" : "those of data centre " + apart.name(zone) + " are")
                                + " on " + String.join(", ", hosts));
            }
        }
    }

    /** The names of the networks that fulfil a condition. */
    private static String networks(Predicate<FabricProvider> isAble) {
        return Networks.all().stream().filter(isAble).map(FabricProvider::name).collect(Collectors.joining(" or "));
    }

    private static Optional<LinkFaults> faults(
            OptionValues values, int node, Zones zones, FabricProvider inside, FabricProvider network) {
        Optional<LinkFaults> faults = LinkDelays.faults(zones, values.text(LinkDelays.DELAY), node);
        if (faults.isEmpty()
                || network == null
                || inside.withFaults(faults.get()).isPresent()) {
            return faults;
        }
        if (network.withFaults(faults.get()).isEmpty()) {
            String able = networks(other -> other.withFaults(faults.get()).isPresent());
            throw values.refuse(
                    LinkDelays.DELAY,
                    "no delays, except on " + ServerOptions.FABRIC + " " + able + ", or between data centres with "
                            + ServerOptions.BETWEEN + " " + able);
        }
        LinkDelays.parse(LinkDelays.DELAY, zones, values.text(LinkDelays.DELAY), (from, to, _, _) -> {
            if (zones.zone(from) == zones.zone(to)) {
                throw values.refuse(
                        LinkDelays.DELAY,
                        "links between data centres on " + ServerOptions.FABRIC + " " + inside.name() + ", but n" + from
                                + " and n" + to + " are both in " + zones.nameOf(from));
            }
        });
        return faults;
    }

    /** The network with its TLS and the delays of its links. One {@link LinkFaults} object delays all messages to a peer. */
    private static FabricProvider complete(
            FabricProvider network, Optional<TlsOptions> tls, Optional<LinkFaults> faults) {
        FabricProvider trusted = tls.map(network::withTls).orElse(network);
        return faults.flatMap(trusted::withFaults).orElse(trusted);
    }

    private static Path dataDirectory(OptionValues values, int node, List<InetSocketAddress> peers) {
        String directory = values.text(ServerOptions.DATA_DIR);
        return directory.isEmpty()
                ? Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "rcc-" + System.getProperty("user.name"),
                        values.text(ServerOptions.CLUSTER),
                        "node" + node + "-" + peers.get(node).getPort())
                : Path.of(directory);
    }

    /** How the nodes watch each other. */
    MembershipOptions membership() {
        return new MembershipOptions(
                dataDirectory(values, node, peers),
                Duration.ofMillis(values.integer(ServerOptions.GRACE)),
                Duration.ofMillis(values.integer(ServerOptions.LEASE)));
    }

    /** The settings that must be the same on all nodes: in words as far as they fit, so that a refused node can report the difference. */
    private String digest(ClusterConfig config) {
        String tables = config.tables().toString();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(tables.getBytes(StandardCharsets.UTF_8));
            return String.join(
                    " ",
                    "fabric=" + network.name(),
                    "protocol=" + config.protocol().name(),
                    "metadata-bytes=" + config.protocol().metadataBytes(), // sets where peers find a tuple's record
                    "code=" + config.code().digits(),
                    "nodes=" + config.nodes(),
                    "workers=" + config.workers(),
                    "coroutines=" + config.coroutines(),
                    "replicas=" + config.replicas(),
                    "datacenters=" + config.zones(),
                    "recovery-ms="
                            + TimeUnit.NANOSECONDS.toMillis(config.waits().recoveryNanos()),
                    "lease-ms=" + values.integer(ServerOptions.LEASE),
                    "log-ring-bytes=" + config.memory().logRingBytes(),
                    "buffer-bytes=" + config.memory().bufferBytes(),
                    "replication=" + (config.raft() == null ? Replications.RINGS : Replications.RAFT),
                    "durability=" + (config.durability() == null ? "memory" : "disk"),
                    "outcome-seconds=" + values.integer(ClientAccessOptions.RETENTION),
                    "locks=" + config.locks().namespaces(),
                    "birth=" + birthInEffect(),
                    "tables=" + HexFormat.of().formatHex(hash, 0, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static List<InetSocketAddress> peers(OptionValues values) {
        String text = values.text(ServerOptions.PEERS);
        List<InetSocketAddress> peers = new ArrayList<>();
        for (String peer : text.split(",", -1)) {
            peers.add(address(values, ServerOptions.PEERS, peer.strip()));
        }
        if (peers.size() > MAX_PEERS) {
            throw values.refuse(ServerOptions.PEERS, "at most " + MAX_PEERS);
        }
        return peers;
    }

    private static int node(OptionValues values, List<InetSocketAddress> peers) {
        int max = peers == null ? MAX_PEERS - 1 : peers.size() - 1;
        return parsed(() -> Integer.parseInt(values.text(ServerOptions.NODE)))
                .filter(node -> node >= 0 && node <= max)
                .orElseThrow(() -> values.refuse(ServerOptions.NODE, "an integer from 0 to " + max));
    }

    /** A value, unless the text that it is parsed from is not of its kind. */
    private static <T> Optional<T> parsed(Supplier<T> parser) {
        try {
            return Optional.of(parser.get());
        } catch (NumberFormatException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static InetSocketAddress address(OptionValues values, Option option, String text) {
        var matcher = ADDRESS.matcher(text);
        if (matcher.matches() && Integer.parseInt(matcher.group(2)) <= MAX_PORT) {
            return new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
        }
        throw values.refuse(option, option.allowed());
    }

    private static GatewayOptions gateway(OptionValues values, List<TableSchema> tables) {
        if (values.isGiven(ClientAccessOptions.ADVERTISE)) {
            Reachability.checkByClients(
                    values, address(values, ClientAccessOptions.ADVERTISE, values.text(ClientAccessOptions.ADVERTISE)));
        }
        Option option = ClientAccessOptions.CLIENT;
        return ClientAccessOptions.create(values, address(values, option, values.text(option)), tables)
                .withCluster(values.text(ServerOptions.CLUSTER));
    }

    /** The users' file, if there is one; {@code listener} is called with its changes. */
    Optional<UsersFile> usersFile(Consumer<Users> listener) {
        return ClientAccessOptions.usersFile(values, gateway, tables(values, network), listener);
    }

    private static Instant birth(OptionValues values) {
        Instant now = Instant.now();
        return parsed(() -> Instant.parse(values.text(ServerOptions.BIRTH)))
                .filter(birth -> !birth.isAfter(now) && birth.isAfter(now.minusNanos(Timestamp.LIFE_NANOS)))
                .orElseThrow(() -> values.refuse(ServerOptions.BIRTH, ServerOptions.BIRTH.allowed()));
    }

    private static Optional<TlsOptions> tls(OptionValues values) {
        List<Option> options = List.of(ServerOptions.TLS_CERTIFICATE, ServerOptions.TLS_KEY, ServerOptions.TLS_TRUST);
        if (options.stream().noneMatch(values::isGiven)) {
            return Optional.empty();
        }
        for (Option option : options) {
            if (!values.isGiven(option)
                    || !Path.of(values.text(option)).toFile().canRead()) {
                throw values.refuse(option, "a PEM file that can be read; TLS takes all three");
            }
        }
        TlsOptions tls = new TlsOptions(
                Path.of(values.text(ServerOptions.TLS_CERTIFICATE)),
                Path.of(values.text(ServerOptions.TLS_KEY)),
                Path.of(values.text(ServerOptions.TLS_TRUST)));
        PeerTrust.checkUsable(values, tls);
        return Optional.of(tls);
    }

    private static void checkTimes(OptionValues values) {
        if (failure(values).compareTo(heartbeat(values).multipliedBy(3)) < 0) {
            throw values.refuse(
                    ServerOptions.FAILURE,
                    "at least " + heartbeat(values).multipliedBy(3).toMillis() + ", 3 heartbeats");
        }
    }

    private static Duration heartbeat(OptionValues values) {
        return Duration.ofMillis(values.integer(ServerOptions.HEARTBEAT));
    }

    private static Duration failure(OptionValues values) {
        return Duration.ofMillis(values.integer(ServerOptions.FAILURE));
    }

    private static HybridCode code(OptionValues values, Protocol protocol, FabricProvider network) {
        boolean isAuto = values.text(ServerOptions.CODE).equals(ServerOptions.AUTO);
        Primitive suitable = network == null ? Primitive.ONE_SIDED : network.suitable();
        HybridCode code;
        try {
            code = HybridCode.parse(protocol, isAuto ? suitable.label() : values.text(ServerOptions.CODE));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ServerOptions.CODE + ": " + e.getMessage() + "; or " + ServerOptions.AUTO, e);
        }
        if (network != null) {
            WordChange.conflict(protocol, code, network.atomicity()).ifPresent(reason -> {
                throw values.refuse(ServerOptions.CODE, "a code that the network admits (" + reason + ")");
            });
        }
        return code;
    }

    private static List<TableSchema> tables(OptionValues values, FabricProvider network) {
        int growth = network == null || network.takesMemoryAtOnce() ? 0 : ServerOptions.DEFAULT_GROWTH;
        List<TableSchema> tables = ServerOptions.tables(values.text(ServerOptions.TABLES), growth);
        if (tables.stream().map(TableSchema::name).distinct().count() < tables.size()) {
            throw values.refuse(ServerOptions.TABLES, "each name once");
        }
        return tables;
    }

    private static ClusterConfig cluster(
            OptionValues values,
            int node,
            List<InetSocketAddress> peers,
            Protocol protocol,
            HybridCode code,
            List<TableSchema> tables,
            Zones zones,
            Primitive suitable) {
        Placement home = Datacenters.home(values, ServerOptions.REPLICAS, zones);
        int nodes = home.nodes();
        int workers = values.intValue(ServerOptions.WORKERS);
        int coroutines = values.intValue(ServerOptions.COROUTINES);
        if (!values.isGiven(ServerOptions.COROUTINES)) { // as many as a node can have, less one per worker
            coroutines = Math.min(coroutines, (Timestamp.MAX_COROUTINE + 1) / workers - 1);
        }
        boolean replaces = nodes > 1 && (!isOnDisk(values) || ClusterConfig.canReplaceOnDisk(home.replicas()));
        if (!replaces
                && isOnDisk(values)
                && values.isGiven(ServerOptions.RECOVERY)
                && values.decimal(ServerOptions.RECOVERY) > 0) {
            throw values.refuse(ServerOptions.RECOVERY, "0 with durability disk, unless there are 3 replicas");
        }
        double recoverySeconds = replaces ? values.decimal(ServerOptions.RECOVERY) : 0;
        List<LockNamespace> locks = locks(values, nodes, workers, replaces);
        TableCount.check(tables, ClientAccessOptions.ownTables(values, locks), nodes);
        List<TableSchema> all = ClientAccessOptions.withFences(ClientAccessOptions.withOutcomes(values, tables), locks);
        return ClusterConfig.of(protocol, all)
                .withLocks(new LockSettings(locks, suitable))
                .withCode(code)
                .withRecovery(Duration.ofNanos((long) (recoverySeconds * TimeUnit.SECONDS.toNanos(1))))
                .withMemory(
                        values.intValue(ServerOptions.LOG_RING),
                        values.intValue(ServerOptions.BUFFER),
                        values.intValue(ServerOptions.CACHE))
                .withShape(nodes, workers, coroutines, home.replicas())
                .withHome(home)
                .withDurability(durability(values, home.replicas()))
                .withRaft(raft(values, node, peers, home.replicas()));
    }

    /** The namespaces of locks, which the cluster can serve. */
    private static List<LockNamespace> locks(OptionValues values, int nodes, int workers, boolean replaces) {
        List<LockNamespace> locks;
        try {
            locks = LockNamespace.parseAll(values.text(ServerOptions.LOCKS));
            locks.forEach(namespace -> NodeLocks.check(namespace, nodes, workers));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ServerOptions.LOCKS + ": " + e.getMessage(), e);
        }
        if (!locks.isEmpty() && isOnDisk(values) && !(replaces && values.decimal(ServerOptions.RECOVERY) > 0)) {
            throw values.refuse(
                    ServerOptions.LOCKS,
                    "none with durability disk where dead nodes are not replaced: lock tokens restart when the"
                            + " processes restart, and the greater tokens on disk would refuse them");
        }
        return locks;
    }

    private static boolean isOnDisk(OptionValues values) {
        return values.text(ServerOptions.DURABILITY).equals("disk");
    }

    private static RaftOptions raft(OptionValues values, int node, List<InetSocketAddress> peers, int replicas) {
        if (values.text(ServerOptions.REPLICATION).equals(Replications.RINGS)) {
            return null;
        }
        if (replicas < RaftOptions.MIN_REPLICAS) {
            throw values.refuse(
                    ServerOptions.REPLICATION,
                    "rings with " + replicas + " replicas, or raft with " + RaftOptions.MIN_REPLICAS
                            + " or more: a majority of fewer is all of them");
        }
        if (values.integer(ServerOptions.BUFFER) < RaftOptions.MIN_BUFFER_BYTES) {
            throw values.refuse(
                    ServerOptions.BUFFER, "at least " + RaftOptions.MIN_BUFFER_BYTES + " with replication raft");
        }
        if (isOnDisk(values) && values.decimal(ServerOptions.RECOVERY) <= 0) {
            throw values.refuse(ServerOptions.RECOVERY, "more than 0 with replication raft and durability disk");
        }
        return new RaftOptions(dataDirectory(values, node, peers).resolve("raft"), isOnDisk(values));
    }

    private static DurabilityOptions durability(OptionValues values, int replicas) {
        if (!isOnDisk(values)) {
            return null;
        }
        if (values.text(ServerOptions.DATA_DIR).isBlank()) {
            throw values.refuse(ServerOptions.DATA_DIR, "a directory, as durability is disk");
        }
        if (replicas < 2) {
            throw values.refuse(ServerOptions.DURABILITY, "memory with 1 replica: backups keep what they log");
        }
        return DurabilityOptions.in(Path.of(values.text(ServerOptions.DATA_DIR)))
                .withSizes(DurabilityOptions.DEFAULT_SEGMENT_BYTES, values.integer(ServerOptions.WAL));
    }
}
