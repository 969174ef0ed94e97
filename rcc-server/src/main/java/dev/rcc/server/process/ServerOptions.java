package dev.rcc.server.process;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.store.Distribution;
import dev.rcc.core.store.IndexSchema;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.config.Replications;
import dev.rcc.server.durability.DurabilityOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The options of {@code rcc server}: the keys of its file, and with two dashes before them its flags. */
public final class ServerOptions {
    /** The cluster's name. */
    public static final Option CLUSTER =
            Option.text("cluster", "rcc", "a name", "the cluster's name; nodes of other clusters are refused");
    /** The node's id. */
    public static final Option NODE =
            Option.text("node", "", "an integer from 0 to the number of peers less 1", "this node's id");
    /** Where the nodes find each other. */
    public static final Option PEERS = Option.text(
            "peers",
            "",
            "host:port of every node, this one included, by id, with commas",
            "where the nodes find each other (TCP, also for the other networks' set-up)");

    static final Option LISTEN = Option.text(
            "listen", "", "host:port", "where to listen for the peers, if not at the address that they connect to");
    /** Where administrators connect. */
    public static final Option ADMIN = Option.text(
            "admin", "127.0.0.1:0", "host:port; port 0 is any that is free", "where administrators connect");
    /** When the cluster was born. */
    public static final Option BIRTH = Option.text(
            "birth",
            "2026-01-01T00:00:00Z",
            "an ISO instant of the last 9.1 years, the same on all nodes",
            "when the cluster was born; its timestamps count from then and last 9.1 years");
    /** The network. */
    public static final Option FABRIC = Option.choice("fabric", FabricOptions.DEFAULT, Networks.names(), "network");
    /** The network between data centres. */
    public static final Option BETWEEN = Option.choice(
            "between",
            FabricOptions.NONE,
            FabricOptions.BETWEEN,
            "network between different datacenters, with fabric inside each of them; none: fabric everywhere");
    /** The protocol. */
    public static final Option PROTOCOL =
            Option.choice("protocol", "nowait", Protocols.names(), "concurrency control protocol");
    /** The code that the network suggests. */
    static final String AUTO = "auto";
    /** How its stages communicate. */
    public static final Option CODE = Option.text(
            "code",
            AUTO,
            AUTO + ", rpc, one-sided, or a digit for each stage of the protocol, 0 (rpc) or 1 (one-sided)",
            "how each stage of the protocol communicates; " + AUTO
                    + " chooses by the network: rpc on tcp, else one-sided");
    /** Copies of each partition. */
    public static final Option REPLICAS = Option.integer(
            "replicas",
            3,
            1,
            256,
            "copies",
            "copies of each partition, at most one a node; the default is fewer where the nodes or data centres have no room for them");
    /** Worker threads. */
    public static final Option WORKERS = Option.integer("workers", 1, 1, 512, "threads", "worker threads");

    static final Option COROUTINES = Option.integer(
            "coroutines",
            100,
            1,
            Timestamp.MAX_COROUTINE,
            "coroutines",
            "coroutines of each worker: as many transactions can be open; many workers have fewer");
    /** How many times its capacity a partition takes in addition, unless its table gives a growth. */
    static final int DEFAULT_GROWTH = 3;
    /** The tables. */
    public static final Option TABLES = Option.text(
            "tables",
            "",
            "name:key:record-bytes:capacity[:ordered][:placed=N, :modulo=N or :replicated][:growth=N], where key is long or bytesN,"
                    + " or name:index:table:unique or many:parts[:placed=N or :modulo=N], with commas; parts are keyA-B, bytesA-B,"
                    + " longA, integerA, longleA and integerleA with plus signs",
            "the tables; a capacity is of records in each partition, and the first N bytes of a key decide on it by their hash, or as a"
                    + " number modulo the partitions; a full partition takes growth times its capacity in addition (by"
                    + " default " + DEFAULT_GROWTH
                    + ", and 0 on networks that need all memory at once); an index is of a table before it, by bytes from A up to B of its keys or records and"
                    + " numbers at A of its records, big-endian or little-endian (le)");

    /** The locks that clients may ask for. */
    public static final Option LOCKS = Option.text(
            "locks",
            "",
            LockNamespace.FORM,
            "namespaces of named locks that clients may ask for, the same on all nodes: how many names each node has room for, the lease of a"
                    + " lock, and the most times that a client may ask for a longer one");

    static final Option LOG_RING = Option.powerOfTwo(
            "log-ring-bytes",
            ClusterConfig.DEFAULT_LOG_RING_BYTES,
            1 << 12,
            1 << 30,
            "bytes",
            "size of each log ring; there is one for each worker of each node");
    /** Larger than a benchmark's: clients scan, and the size of their scans is not known. */
    static final Option BUFFER = Option.integer(
            "buffer-bytes",
            1 << 18,
            1 << 12,
            1 << 28,
            "bytes",
            "buffer of each coroutine, a multiple of 64; bounds the size of a transaction");

    static final Option CACHE = Option.integer(
            "address-cache-entries",
            ClusterConfig.DEFAULT_ADDRESS_CACHE_ENTRIES,
            1,
            1 << 28,
            "entries",
            "addresses that each worker remembers");
    /** How commits get to the backups. */
    public static final Option REPLICATION = Option.choice(
            "replication",
            Replications.RINGS,
            Replications.names(),
            "how commits get to the backups: rings writes them into the memory of all backups; with raft, a majority of"
                    + " the copies is enough");

    /** Whether commits are on disk. */
    public static final Option DURABILITY = Option.choice(
            "durability",
            "memory",
            List.of("memory", "disk"),
            "whether a commit is on the disks of the backups before it is acknowledged");

    static final Option WAL = Option.integer(
            "wal-bytes",
            DurabilityOptions.DEFAULT_WAL_BYTES,
            1 << 12,
            1L << 40,
            "bytes",
            "a snapshot is made whenever the write-ahead log has grown by so much");
    static final Option HEARTBEAT = Option.integer(
            "heartbeat-ms", 250, 1, 60_000, "milliseconds", "how often nodes send heartbeats to each other");
    /** Silence after which a peer counts as dead, in ms. */
    public static final Option FAILURE = Option.integer(
            "failure-ms",
            2_000,
            3,
            3_600_000,
            "milliseconds",
            "silence after which a peer counts as dead, at least 3 heartbeats");
    /** How long transactions wait for a dead node to be replaced, in seconds. */
    public static final Option RECOVERY = Option.decimal(
            "recovery-seconds",
            10,
            0,
            3_600,
            "seconds",
            "how long transactions wait for a dead node to be replaced; 0: dead nodes are not replaced");

    static final Option GRACE = Option.integer(
            "grace-ms",
            250,
            0,
            600_000,
            "milliseconds",
            "how long a node may be disconnected before the others go on without it");
    static final Option LEASE = Option.integer(
            "lease-ms",
            500,
            50,
            600_000,
            "milliseconds",
            "how long a node serves without contact to a majority; the other nodes wait this long before they replace it");
    /** The node's own directory. */
    public static final Option DATA_DIR = Option.text(
            "data-dir",
            "",
            "a directory of this node's own",
            "where the node keeps the state that must survive its process; by default below the directory for temporary"
                    + " files");
    /** The file of secrets by which the nodes authenticate each other. */
    public static final Option SECRET_FILE = Option.text(
            "secret-file",
            "",
            "a file that not every user can read or write, with a secret of 32 characters or more a line",
            "secrets by which nodes authenticate each other: the first is used, all are accepted; the file may change");

    static final Option TLS_CERTIFICATE = Option.text(
            "tls.certificate", "", "a PEM file", "certificate of this node; with it, nodes authenticate each other");
    static final Option TLS_KEY = Option.text("tls.key", "", "a PEM file", "the certificate's private key, PKCS #8");
    static final Option TLS_TRUST =
            Option.text("tls.trust", "", "a PEM file", "the certificates that the peers' certificates are signed with");
    static final Option DRAIN = Option.decimal(
            "drain-seconds", 30, 0, 86_400, "seconds", "how long running transactions may take to end at a stop");
    /** The file in which the process writes its number and addresses. */
    public static final Option STATE = Option.text(
            "state", "", "a file that can be written", "file in which to write where this process is found, as JSON");
    /** Whether benchmarks may use the process. */
    public static final Option BENCH = Option.choice(
            "bench",
            "no",
            List.of("yes", "no"),
            "whether 'rcc bench --cluster' may lease the process, which ends its node");

    /** All options of a server. */
    public static final OptionTable TABLE = new OptionTable("", all());

    private static final Pattern TABLE_FORM =
            Pattern.compile("([A-Za-z][A-Za-z0-9_-]*):(long|bytes([0-9]{1,5})):([0-9]{1,9}):([0-9]{1,12})"
                    + "(:ordered)?(?::(?:(placed|modulo)=([0-9]{1,4})|(replicated)))?(?::growth=([0-9]{1,4}))?");
    private static final Pattern INDEX_FORM =
            Pattern.compile("([A-Za-z][A-Za-z0-9_-]*):index:([A-Za-z][A-Za-z0-9_-]*):(unique|many):([a-z0-9+-]+)"
                    + "(?::(placed|modulo)=([0-9]{1,4}))?");
    private static final Pattern PART_FORM =
            Pattern.compile("(?:(key|bytes)([0-9]{1,5})-([0-9]{1,5}))|(?:(long|integer|longle|integerle)([0-9]{1,5}))");

    private ServerOptions() {}

    private static List<Option> all() {
        List<Option> options = new ArrayList<>(List.of(CLUSTER, NODE, PEERS, LISTEN, ADMIN));
        options.addAll(ClientAccessOptions.TABLE.options());
        options.addAll(List.of(BIRTH, FABRIC, BETWEEN));
        options.addAll(FabricOptions.TABLE.options());
        options.addAll(List.of(PROTOCOL, CODE));
        options.addAll(Protocols.options().options());
        options.addAll(List.of(
                REPLICAS,
                WORKERS,
                COROUTINES,
                TABLES,
                LOCKS,
                LOG_RING,
                BUFFER,
                CACHE,
                REPLICATION,
                DURABILITY,
                WAL,
                HEARTBEAT,
                FAILURE,
                Datacenters.OPTION,
                LinkDelays.DELAY,
                RECOVERY,
                GRACE,
                LEASE,
                DATA_DIR,
                SECRET_FILE,
                TLS_CERTIFICATE,
                TLS_KEY,
                TLS_TRUST,
                DRAIN,
                STATE,
                BENCH));
        return options;
    }

    /**
     * The table that a text describes.
     *
     * @param before the tables before it
     * @param growth its growth if the text does not give one
     * @throws IllegalArgumentException when the text describes none
     */
    private static TableSchema table(List<TableSchema> before, String text, int growth) {
        var indexMatcher = INDEX_FORM.matcher(text);
        return indexMatcher.matches() ? index(before, indexMatcher) : table(before.size(), text, growth);
    }

    /** The table, no index, that a text describes. */
    private static TableSchema table(int id, String text, int growth) {
        var matcher = TABLE_FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(TABLES + ": got '" + text + "', allowed: " + TABLES.allowed());
        }
        int recordBytes = Integer.parseInt(matcher.group(4));
        long capacity = Long.parseLong(matcher.group(5));
        try {
            TableSchema table = matcher.group(3) == null
                    ? TableSchema.ofLongKeys(id, matcher.group(1), recordBytes, capacity)
                    : TableSchema.ofByteKeys(
                            id, matcher.group(1), Integer.parseInt(matcher.group(3)), recordBytes, capacity);
            int times = matcher.group(10) == null ? growth : Integer.parseInt(matcher.group(10));
            TableSchema perhapsOrdered = (matcher.group(6) == null ? table : table.ordered()).growing(times);
            return matcher.group(9) != null
                    ? perhapsOrdered.replicated()
                    : distributed(perhapsOrdered, matcher.group(7), matcher.group(8));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(TABLES + ": got '" + text + "', " + e.getMessage(), e);
        }
    }

    private static TableSchema index(List<TableSchema> before, Matcher matcher) {
        String text = matcher.group();
        String name = matcher.group(2);
        TableSchema base = before.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(TABLES + ": got '" + text + "', an index of " + name
                        + "; allowed: a table before it, which are "
                        + before.stream().map(TableSchema::name).toList()));
        List<IndexSchema.Part> parts = new ArrayList<>();
        try {
            for (String part : matcher.group(4).split("\\+", -1)) {
                parts.add(part(part));
            }
            TableSchema index = TableSchema.index(
                    before.size(), matcher.group(1), base, matcher.group(3).equals("unique"), parts);
            return distributed(index, matcher.group(5), matcher.group(6));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(TABLES + ": got '" + text + "', " + e.getMessage(), e);
        }
    }

    /**
     * The tables that a text describes.
     *
     * @param growth the growth of tables for which the text does not give one
     * @throws IllegalArgumentException when the text describes none
     */
    static List<TableSchema> tables(String text, int growth) {
        List<TableSchema> tables = new ArrayList<>();
        if (!text.isBlank()) {
            String[] each = text.split(",", -1);
            TableCount.check(each.length);
            for (String table : each) {
                tables.add(table(tables, table.strip(), growth));
            }
        }
        return tables;
    }

    /**
     * The text that describes tables. A growth of 0 is left out: then the network determines how much a table grows.
     *
     * @throws IllegalArgumentException when no text describes them
     */
    public static String describe(List<TableSchema> tables) {
        List<String> texts = new ArrayList<>();
        for (TableSchema table : tables) {
            String text = describe(tables, table);
            if (!table(tables.subList(0, table.id()), text, table.growth()).equals(table)) {
                throw new IllegalArgumentException(
                        TABLES + ": got a table that is not as '" + text + "' says, allowed: " + TABLES.allowed());
            }
            texts.add(text);
        }
        return String.join(",", texts);
    }

    private static String describe(List<TableSchema> tables, TableSchema table) {
        Distribution distribution = table.distribution();
        return table.name() + ":" + (table.isIndex() ? indexed(tables, table) : stored(table))
                + switch (distribution.rule()) {
                    case KEY -> "";
                    case PREFIX -> ":placed=" + distribution.prefixBytes();
                    case MODULO -> ":modulo=" + distribution.prefixBytes();
                    case REPLICATED -> ":replicated";
                }
                + (table.growth() == 0 || table.isIndex() ? "" : ":growth=" + table.growth());
    }

    private static String stored(TableSchema table) {
        String key = table.keyKind() == KeyKind.LONG ? "long" : "bytes" + table.keyBytes();
        return key + ":" + table.recordBytes() + ":" + table.capacity() + (table.isOrdered() ? ":ordered" : "");
    }

    private static String indexed(List<TableSchema> tables, TableSchema table) {
        IndexSchema index = table.index();
        return "index:" + tables.get(index.base()).name() + (index.unique() ? ":unique:" : ":many:")
                + index.parts().stream().map(ServerOptions::describe).collect(Collectors.joining("+"));
    }

    private static String describe(IndexSchema.Part part) {
        return switch (part.kind()) {
            case KEY -> "key" + part.offset() + "-" + (part.offset() + part.bytes());
            case BYTES -> "bytes" + part.offset() + "-" + (part.offset() + part.bytes());
            case BIG_ENDIAN_LONG -> "long" + part.offset();
            case BIG_ENDIAN_INTEGER -> "integer" + part.offset();
            case LONG -> "longle" + part.offset();
            case INTEGER -> "integerle" + part.offset();
        };
    }

    private static IndexSchema.Part part(String text) {
        var matcher = PART_FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("and of it the part '" + text
                    + "', allowed: keyA-B, bytesA-B, longA, integerA, longleA or integerleA");
        }
        if (matcher.group(4) != null) {
            return IndexSchema.Part.number(number(matcher.group(4)), Integer.parseInt(matcher.group(5)));
        }
        int from = Integer.parseInt(matcher.group(2));
        int bytes = Integer.parseInt(matcher.group(3)) - from;
        return matcher.group(1).equals("key")
                ? IndexSchema.Part.ofKey(from, bytes)
                : IndexSchema.Part.ofBytes(from, bytes);
    }

    private static IndexSchema.Kind number(String name) {
        return switch (name) {
            case "long" -> IndexSchema.Kind.BIG_ENDIAN_LONG;
            case "integer" -> IndexSchema.Kind.BIG_ENDIAN_INTEGER;
            case "longle" -> IndexSchema.Kind.LONG;
            default -> IndexSchema.Kind.INTEGER;
        };
    }

    private static TableSchema distributed(TableSchema table, String rule, String prefixBytes) {
        return switch (rule) {
            case null -> table;
            case "placed" -> table.placedBy(Integer.parseInt(prefixBytes));
            default -> table.modulo(Integer.parseInt(prefixBytes));
        };
    }
}
