package dev.rcc.client.wire;

import java.util.List;
import java.util.Objects;

/**
 * What clients and gateways say to each other. Each message has a type, the byte by which it travels; replies have its highest
 * bit set. Immutable.
 */
public sealed interface Message {
    /** What a client says. */
    sealed interface Request extends Message {}

    /** What a gateway answers. */
    sealed interface Reply extends Message {}

    /** A request within a transaction. */
    sealed interface InTransaction extends Request {
        /** {@return the number that the client has given to the transaction, unique among the connection's open ones} */
        int txn();
    }

    /** A request that names a table. */
    sealed interface Operation extends InTransaction {
        /** {@return the table's number in the catalogue, 0 to 65535} */
        int table();
    }

    // ---- requests --------------------------------------------------------------------------------------------------

    /**
     * The first message of a connection. Answered by {@link Welcome}.
     *
     * @param minVersion least version of the protocol that the client speaks, 1 to 65535
     * @param maxVersion greatest version that it speaks
     * @param token what proves who it is, or empty
     * @param client what it calls itself, for people
     */
    record Hello(int minVersion, int maxVersion, String token, String client) implements Request {
        /** Checks the versions and texts. */
        public Hello {
            checkRange("minVersion", minVersion, 1, 0xFFFF);
            checkRange("maxVersion", maxVersion, minVersion, 0xFFFF);
            Objects.requireNonNull(token, "token");
            Objects.requireNonNull(client, "client");
        }
    }

    /** Asks for the catalogue. Answered by {@link Tables}. */
    record DescribeTables() implements Request {}

    /**
     * Begins a transaction. Not answered: if it fails, everything that follows in the transaction does.
     *
     * @param txn the transaction's number
     * @param readOnly whether writes are to be refused
     * @param timeoutMillis time from now until the transaction is to be aborted, at least 1
     * @param minCommitTs a commit timestamp that this transaction must come after, or 0
     */
    record Begin(int txn, boolean readOnly, int timeoutMillis, long minCommitTs) implements InTransaction {
        /** Checks the numbers. */
        public Begin {
            checkRange("timeoutMillis", timeoutMillis, 1, Integer.MAX_VALUE);
            checkNotNegative("minCommitTs", minCommitTs);
        }
    }

    /**
     * Reads a record. Answered by {@link Value}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param forUpdate whether it is read to be written
     * @param key the record's key
     */
    record Get(int txn, int table, boolean forUpdate, Key key) implements Operation {
        /** Checks the table. */
        public Get {
            checkTable(table);
            Objects.requireNonNull(key, "key");
        }
    }

    /**
     * Writes a record, whether there was one or not. Answered by {@link Done}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param key the record's key
     * @param value the record's bytes, as many as the table's records have
     */
    record Put(int txn, int table, Key key, Bytes value) implements Operation {
        /** Checks table and value. */
        public Put {
            checkTable(table);
            Objects.requireNonNull(key, "key");
            checkValue(value);
        }
    }

    /**
     * Adds a record under a key that has none. Answered by {@link Done}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param key the record's key
     * @param value the record's bytes, as many as the table's records have
     */
    record Insert(int txn, int table, Key key, Bytes value) implements Operation {
        /** Checks table and value. */
        public Insert {
            checkTable(table);
            Objects.requireNonNull(key, "key");
            checkValue(value);
        }
    }

    /**
     * Writes a part of a record, if others are as expected. Answered by {@link Patched}. From version {@link Wire#PATCH_VERSION} on.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param key the record's key
     * @param patch what is expected and written
     */
    record PatchRecord(int txn, int table, Key key, Patch patch) implements Operation {
        /** Checks the table. */
        public PatchRecord {
            checkTable(table);
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(patch, "patch");
        }
    }

    /**
     * Removes a record. Answered by {@link Deleted}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param key the record's key
     */
    record Delete(int txn, int table, Key key) implements Operation {
        /** Checks the table. */
        public Delete {
            checkTable(table);
            Objects.requireNonNull(key, "key");
        }
    }

    /**
     * Reads the records of a range in the order of their keys, or in the reverse. Answered by {@link Records}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param forUpdate whether they are read to be written
     * @param descending whether the greatest keys come first. From version {@link Wire#DESCENDING_VERSION} on
     * @param from the lower end of the range
     * @param to its upper end
     * @param limit most records to be read, at least 1; the gateway may read fewer
     */
    record Scan(int txn, int table, boolean forUpdate, boolean descending, Bound from, Bound to, int limit)
            implements Operation {
        /** Checks table and limit. */
        public Scan {
            checkTable(table);
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(to, "to");
            checkRange("limit", limit, 1, Integer.MAX_VALUE);
        }
    }

    /**
     * Commits the transaction. Answered by {@link Committed}.
     *
     * @param txn the transaction's number, which is free afterwards
     * @param id the commit's name, or {@link CommitId#NONE}
     */
    record Commit(int txn, CommitId id) implements InTransaction {
        /** Checks that there is an id. */
        public Commit {
            Objects.requireNonNull(id, "id");
        }
    }

    /**
     * Gives the transaction up. Answered by {@link Aborted}.
     *
     * @param txn the transaction's number, which is free afterwards
     */
    record Abort(int txn) implements InTransaction {}

    /**
     * Asks what became of a commit whose answer was lost. Answered by {@link OutcomeIs}. If the gateway has not seen the commit
     * yet, it will refuse it from now on.
     *
     * @param id the commit's name
     * @param incarnation that of the gateway which the commit was sent to
     * @param ageMillis how long ago it was sent
     */
    record AskOutcome(CommitId id, long incarnation, int ageMillis) implements Request {
        /** Checks the numbers. */
        public AskOutcome {
            Objects.requireNonNull(id, "id");
            checkRange("ageMillis", ageMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Runs a stored procedure in a transaction of its own. Answered by {@link Returned}. The same call again, under the same name, is
     * not carried out again.
     *
     * @param readOnly whether writes are to be refused
     * @param timeoutMillis time from now until the transaction is to be aborted, at least 1
     * @param minCommitTs a commit timestamp that this transaction must come after, or 0
     * @param id the commit's name, or {@link CommitId#NONE}
     * @param procedure the procedure's name
     * @param argument its argument, at most {@link Wire#DATA_BYTES_MAX} bytes
     */
    record Call(boolean readOnly, int timeoutMillis, long minCommitTs, CommitId id, String procedure, Bytes argument)
            implements Request {
        /** Checks the numbers. */
        public Call {
            checkRange("timeoutMillis", timeoutMillis, 1, Integer.MAX_VALUE);
            checkNotNegative("minCommitTs", minCommitTs);
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(procedure, "procedure");
            checkRange("an argument's bytes", argument.length(), 0, Wire.DATA_BYTES_MAX);
        }
    }

    /**
     * Asks how full a table is. For those who have the role admin on it. Answered by {@link Usage}.
     *
     * @param table the table's number
     */
    record DescribeUsage(int table) implements Request {
        /** Checks the table. */
        public DescribeUsage {
            checkTable(table);
        }
    }

    /**
     * Asks who is connected to the gateway. For those who have the role admin on all tables. Answered by {@link Sessions}.
     *
     * @param after only connections with greater numbers
     */
    record DescribeSessions(long after) implements Request {}

    /**
     * Closes a connection, whatever is open on it. For those who have the role admin on all tables. Answered by {@link Deleted}.
     *
     * @param number the connection's number
     */
    record EndSession(long number) implements Request {}

    /**
     * Asks for a lock. Answered by {@link Granted}; if it is not granted in time, by {@link Failed}. From version {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of it, which no lock has that it holds or waits for on the connection
     * @param namespace the name of the lock's namespace
     * @param name the lock's name there
     * @param mode what for
     * @param waitMillis how long to wait for it; with 0 it is granted at once or not
     * @param leaseMillis how long it is to be held at most; 0 for the namespace's lease
     */
    record Lock(int lock, String namespace, String name, LockMode mode, int waitMillis, int leaseMillis)
            implements Request {
        /** Checks the numbers. */
        public Lock {
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(mode, "mode");
            checkRange("waitMillis", waitMillis, 0, Integer.MAX_VALUE);
            checkRange("leaseMillis", leaseMillis, 0, Integer.MAX_VALUE);
        }
    }

    /** What a lock is wanted for. */
    enum LockMode {
        /** To read, beside others that read. */
        SHARED(1),
        /** To read now and perhaps to write later, after an upgrade, beside those that read already. */
        UPDATE(2),
        /** To write, alone. */
        EXCLUSIVE(3);

        private final int code;

        LockMode(int code) {
            this.code = code;
        }

        /** {@return the number by which it travels} */
        public int code() {
            return code;
        }
    }

    /**
     * Has a lock alone that is held for an update. Answered by {@link Granted}; if those before it have not released it in time, by
     * {@link Failed}, and the lock is held as before. From version {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of it
     * @param waitMillis how long to wait
     */
    record Upgrade(int lock, int waitMillis) implements Request {
        /** Checks the time. */
        public Upgrade {
            checkRange("waitMillis", waitMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Releases a lock, or gives it up. Answered by {@link Done}, also if it is not held any more; then what asked for it is answered, too. From
     * version {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of it, which is free afterwards
     */
    record Unlock(int lock) implements Request {}

    /**
     * Has the transaction take effect only if no later holder of a lock has fenced one before. Answered by {@link Done}. From version
     * {@link Wire#LOCKS_VERSION} on.
     *
     * @param txn the transaction's number
     * @param namespace the name of the lock's namespace
     * @param name the lock's name there
     * @param token the holder's token
     */
    record Fence(int txn, String namespace, String name, long token) implements InTransaction {
        /** Checks that there are names. */
        public Fence {
            Objects.requireNonNull(namespace, "namespace");
            Objects.requireNonNull(name, "name");
        }
    }

    /**
     * Asks which locks of a namespace clients of the gateway hold and wait for. Answered by {@link Locks}. From version
     * {@link Wire#LOCKS_VERSION} on.
     *
     * @param namespace the namespace's name
     */
    record DescribeLocks(String namespace) implements Request {
        /** Checks that there is a name. */
        public DescribeLocks {
            Objects.requireNonNull(namespace, "namespace");
        }
    }

    // ---- replies ---------------------------------------------------------------------------------------------------

    /**
     * The answer to a hello.
     *
     * @param version the version of the protocol that is spoken from now on
     * @param node the number of the gateway's node
     * @param incarnation a number that differs from that of every other gateway, and of this one before it was started again
     * @param cluster the cluster's name
     * @param protocol the name of the cluster's concurrency control
     * @param limits what the gateway takes
     * @param members where the cluster's gateways can be reached, each as {@code host:port}
     * @param workers how many workers the node has, among which connections are shared out; 1 if the version is too old to say
     */
    record Welcome(
            int version,
            int node,
            long incarnation,
            String cluster,
            String protocol,
            Limits limits,
            List<String> members,
            int workers)
            implements Reply {
        /** Checks the numbers. */
        public Welcome {
            checkRange("workers", workers, 1, 0xFFFF);
            checkRange("version", version, 1, 0xFFFF);
            checkRange("node", node, 0, 0xFFFF);
            Objects.requireNonNull(cluster, "cluster");
            Objects.requireNonNull(protocol, "protocol");
            Objects.requireNonNull(limits, "limits");
            members = List.copyOf(members);
            checkRange("members", members.size(), 0, Wire.MEMBERS_MAX);
        }
    }

    /**
     * What a gateway takes from one connection.
     *
     * @param frameLength largest length of a frame
     * @param transactions most transactions open at once
     * @param pipelined most requests of a transaction that are not answered
     * @param scanRecords most records in one answer to a scan
     * @param transactionBytes most bytes that a transaction writes, keys included
     * @param idleMillis how long a transaction may wait for its client
     * @param lifetimeMillis how long a transaction may take in all
     */
    record Limits(
            int frameLength,
            int transactions,
            int pipelined,
            int scanRecords,
            int transactionBytes,
            int idleMillis,
            int lifetimeMillis) {
        /** Checks the numbers. */
        public Limits {
            checkRange("frameLength", frameLength, Wire.HELLO_LENGTH_MAX, Wire.LENGTH_MAX);
            checkRange("transactions", transactions, 1, Integer.MAX_VALUE);
            checkRange("pipelined", pipelined, 1, Integer.MAX_VALUE);
            checkRange("scanRecords", scanRecords, 1, Integer.MAX_VALUE);
            checkRange("transactionBytes", transactionBytes, 1, Integer.MAX_VALUE);
            checkRange("idleMillis", idleMillis, 1, Integer.MAX_VALUE);
            checkRange("lifetimeMillis", lifetimeMillis, 1, Integer.MAX_VALUE);
        }
    }

    /**
     * The catalogue.
     *
     * @param tables all of the cluster's, at most {@link Wire#TABLES_MAX}
     * @param hasAttributes whether it says the tables' attributes: from version {@link Wire#TABLE_ATTRIBUTES_VERSION} on; if not, none has any
     */
    record Tables(List<TableInfo> tables, boolean hasAttributes) implements Reply {
        /** Copies the list. */
        public Tables {
            tables = List.copyOf(tables);
            checkRange("tables", tables.size(), 0, Wire.TABLES_MAX);
            if (!hasAttributes
                    && !tables.stream().allMatch(table -> table.attributes().isEmpty())) {
                throw new IllegalArgumentException("a catalogue without attributes has tables with some: " + tables);
            }
        }

        /** {@return the same catalogue for clients that do not understand attributes} */
        public Tables withoutAttributes() {
            return new Tables(tables.stream().map(TableInfo::withoutAttributes).toList(), false);
        }
    }

    /**
     * A table.
     *
     * @param id its number
     * @param name its name
     * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
     * @param keyBytes longest key, in bytes
     * @param recordBytes bytes of each record
     * @param ordered whether it can be scanned
     * @param attributes what else is known of it, by ascending kinds
     */
    record TableInfo(
            int id,
            String name,
            boolean hasLongKeys,
            int keyBytes,
            int recordBytes,
            boolean ordered,
            List<TableAttribute> attributes) {
        /** Checks the numbers, and copies the list. */
        public TableInfo {
            attributes = List.copyOf(attributes);
            for (int i = 0; i < attributes.size(); i++) {
                checkRange(
                        "kind",
                        attributes.get(i).kind(),
                        i == 0 ? 1 : attributes.get(i - 1).kind() + 1,
                        0xFF);
            }
            checkTable(id);
            Objects.requireNonNull(name, "name");
            checkRange("keyBytes", keyBytes, 1, Key.MAX_BYTES);
            checkRange("recordBytes", recordBytes, 1, Wire.RECORD_BYTES_MAX);
        }

        /**
         * A table without attributes.
         *
         * @param id its number
         * @param name its name
         * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
         * @param keyBytes longest key, in bytes
         * @param recordBytes bytes of each record
         * @param ordered whether it can be scanned
         */
        public TableInfo(int id, String name, boolean hasLongKeys, int keyBytes, int recordBytes, boolean ordered) {
            this(id, name, hasLongKeys, keyBytes, recordBytes, ordered, List.of());
        }

        /** {@return how its records are distributed, or null: by the hash of the whole key} */
        public TableAttribute.Distributed distribution() {
            return attribute(TableAttribute.Distributed.class);
        }

        /** {@return what it is an index of, or null} */
        public TableAttribute.Indexing indexing() {
            return attribute(TableAttribute.Indexing.class);
        }

        private <T extends TableAttribute> T attribute(Class<T> kind) {
            for (TableAttribute attribute : attributes) {
                if (kind.isInstance(attribute)) {
                    return kind.cast(attribute);
                }
            }
            return null;
        }

        private TableInfo withoutAttributes() {
            return new TableInfo(id, name, hasLongKeys, keyBytes, recordBytes, ordered);
        }
    }

    /**
     * What was read.
     *
     * @param value the record's bytes, or null when the key has none
     */
    record Value(Bytes value) implements Reply {
        /** Checks the length. */
        public Value {
            if (value != null) {
                checkValue(value);
            }
        }
    }

    /** It was done. */
    record Done() implements Reply {}

    /**
     * What a patch has done.
     *
     * @param result whether it was written, or why not
     */
    record Patched(Patch.Result result) implements Reply {
        /** Checks that there is one. */
        public Patched {
            Objects.requireNonNull(result, "result");
        }
    }

    /**
     * A record was removed.
     *
     * @param existed whether there was one
     */
    record Deleted(boolean existed) implements Reply {}

    /**
     * What a scan has found.
     *
     * @param more whether the range may have more records after the last of these
     * @param records the records in the order of their keys
     */
    record Records(boolean more, List<KeyValue> records) implements Reply {
        /** Copies the list. */
        public Records {
            records = List.copyOf(records);
        }
    }

    /**
     * A record and its key.
     *
     * @param key the record's key
     * @param value the record's bytes
     */
    record KeyValue(Key key, Bytes value) {
        /** Checks the value. */
        public KeyValue {
            Objects.requireNonNull(key, "key");
            checkValue(value);
        }
    }

    /**
     * The transaction has committed.
     *
     * @param commitTs its commit timestamp, or 0 if it has none because it has only read
     */
    record Committed(long commitTs) implements Reply {
        /** Checks the timestamp. */
        public Committed {
            checkTimestamp(commitTs);
        }
    }

    /**
     * The transaction was given up.
     *
     * @param readsHeld whether what it had read was true at one moment; if not, whatever its client concluded says nothing
     */
    record Aborted(boolean readsHeld) implements Reply {}

    /**
     * What became of a commit.
     *
     * @param status whether it has committed, or why that is not said
     * @param commitTs the commit timestamp of one that has committed, otherwise 0
     * @param result what the stored procedure has returned whose call it was, or null if it was none or that is not known any more
     */
    record OutcomeIs(Status status, long commitTs, Bytes result) implements Reply {
        /** Checks timestamp and length. */
        public OutcomeIs {
            Objects.requireNonNull(status, "status");
            checkTimestamp(commitTs);
            if (result != null) {
                checkRange("a result's bytes", result.length(), 0, Wire.DATA_BYTES_MAX);
            }
        }

        /**
         * Without a result.
         *
         * @param status whether it has committed, or why that is not said
         * @param commitTs the commit timestamp of one that has committed, otherwise 0
         */
        public OutcomeIs(Status status, long commitTs) {
            this(status, commitTs, null);
        }
    }

    /** What can become of a commit. */
    enum Status {
        /** It has committed. */
        COMMITTED(1),
        /** It has not, and never will. */
        NOT_COMMITTED(2),
        /** It is being decided: ask again. */
        IN_PROGRESS(3),
        /** This gateway does not know: it is not the one that it was sent to, or has forgotten. */
        UNKNOWN(4);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        /** {@return the number by which it travels} */
        public int code() {
            return code;
        }
    }

    /**
     * Where the cluster's gateways can be reached, when that has changed. With request 0: it was not asked for.
     *
     * @param members each as {@code host:port}
     */
    record Members(List<String> members) implements Reply {
        /** Copies the list. */
        public Members {
            members = List.copyOf(members);
            checkRange("members", members.size(), 0, Wire.MEMBERS_MAX);
        }
    }

    /**
     * In which zones the cluster's gateways are, right after the welcome and when these have changed; not sent where no zones are named. With
     * request 0: it was not asked for. Sent from version {@link Wire#ZONES_VERSION} on.
     *
     * @param gateways those of which the zone is known
     */
    record Zones(List<ZonedGateway> gateways) implements Reply {
        /** Copies the list. */
        public Zones {
            gateways = List.copyOf(gateways);
            checkRange("gateways", gateways.size(), 0, Wire.MEMBERS_MAX);
        }
    }

    /**
     * A gateway and its zone.
     *
     * @param address {@code host:port}
     * @param zone the name of its zone
     */
    record ZonedGateway(String address, String zone) {}

    /**
     * Where the cluster's partitions are, right after the welcome and when that has changed. With request 0: it was not asked for. Sent from
     * version {@link Wire#PLACEMENT_VERSION} on.
     *
     * @param epoch the number of the configuration that has it; 0 in clusters that do not number them
     * @param primaries by partition the node that has its primary copy, at least one; {@link KeyPartition} says which partition has a key
     */
    record Placement(long epoch, List<Integer> primaries) implements Reply {
        /** Checks the numbers, and copies the list. */
        public Placement {
            checkNotNegative("epoch", epoch);
            primaries = List.copyOf(primaries);
            checkRange("partitions", primaries.size(), 1, Wire.PARTITIONS_MAX);
            primaries.forEach(node -> checkRange("primary", node, 0, 0xFFFF));
        }
    }

    /**
     * A stored procedure has returned, and its transaction has committed.
     *
     * @param commitTs its commit timestamp, or 0 if it has none because it has only read
     * @param result what it has returned, at most {@link Wire#DATA_BYTES_MAX} bytes
     */
    record Returned(long commitTs, Bytes result) implements Reply {
        /** Checks timestamp and length. */
        public Returned {
            checkTimestamp(commitTs);
            checkRange("a result's bytes", result.length(), 0, Wire.DATA_BYTES_MAX);
        }
    }

    /**
     * How full a table is, in the partitions whose primary is the gateway's node.
     *
     * @param records number of records
     * @param capacity number of records that the partitions are sized for
     * @param overflow how many of the records are in overflow segments; {@link #UNKNOWN} before version {@link Wire#OVERFLOW_VERSION}
     * @param overflowCapacity for how many records overflow segments are sized; likewise
     */
    record Usage(long records, long capacity, long overflow, long overflowCapacity) implements Reply {
        /** What gateways of earlier versions do not say. */
        public static final long UNKNOWN = -1;

        /** Checks the numbers. */
        public Usage {
            checkNotNegative("records", records);
            checkNotNegative("capacity", capacity);
            if (overflow != UNKNOWN || overflowCapacity != UNKNOWN) {
                checkNotNegative("overflow", overflow);
                checkNotNegative("overflowCapacity", overflowCapacity);
            }
        }

        /**
         * As gateways of earlier versions say it.
         *
         * @param records how many records there are
         * @param capacity for how many there is room
         */
        public Usage(long records, long capacity) {
            this(records, capacity, UNKNOWN, UNKNOWN);
        }
    }

    /**
     * Who is connected to the gateway.
     *
     * @param more whether there are others after the last of these
     * @param sessions the connections by their numbers, ascending
     */
    record Sessions(boolean more, List<Session> sessions) implements Reply {
        /** Copies the list. */
        public Sessions {
            sessions = List.copyOf(sessions);
        }
    }

    /**
     * A connection.
     *
     * @param number its number at its gateway
     * @param user whose it is
     * @param client what the client calls itself
     * @param address where it comes from
     * @param transactions number of transactions that are open on it
     * @param connectedMillis for how long it has been there
     */
    record Session(long number, String user, String client, String address, int transactions, long connectedMillis) {
        /** Checks the numbers. */
        public Session {
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(client, "client");
            Objects.requireNonNull(address, "address");
            checkRange("transactions", transactions, 0, Integer.MAX_VALUE);
            checkNotNegative("connectedMillis", connectedMillis);
        }
    }

    /**
     * A lock is held.
     *
     * @param token its fencing token: greater than those of all that have held it before
     * @param leaseLeftMillis how long it may be held from now on
     */
    record Granted(long token, int leaseLeftMillis) implements Reply {
        /** Checks the numbers. */
        public Granted {
            checkNotNegative("token", token);
            checkRange("leaseLeftMillis", leaseLeftMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * A lock is not held any more, though it was not released. With request 0: it was not asked for.
     *
     * @param lock the client's number of it, which is free afterwards
     */
    record LockLost(int lock) implements Reply {}

    /**
     * The locks of a namespace that clients of the gateway hold and wait for.
     *
     * @param more whether there are others that had no room
     * @param locks in the order in which they were asked for at a worker
     */
    record Locks(boolean more, List<LockInfo> locks) implements Reply {
        /** Copies the list. */
        public Locks {
            locks = List.copyOf(locks);
        }
    }

    /**
     * A lock that is held or waited for.
     *
     * @param name its name in its namespace
     * @param mode what for
     * @param held whether it is held; if not, it is waited for
     * @param token its token; 0 if it is not held
     * @param leaseLeftMillis how long it may yet be held; 0 if it is not
     * @param user whose it is
     * @param client what the client calls itself
     */
    record LockInfo(
            String name, LockMode mode, boolean held, long token, int leaseLeftMillis, String user, String client) {
        /** Checks the numbers. */
        public LockInfo {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(mode, "mode");
            Objects.requireNonNull(user, "user");
            Objects.requireNonNull(client, "client");
            checkNotNegative("token", token);
            checkRange("leaseLeftMillis", leaseLeftMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * The request has failed.
     *
     * @param code the number of an {@code ErrorCode}, 1 to 65535
     * @param transactionOver whether the transaction has ended without effect
     * @param retryable whether the same transaction may succeed when it is tried again from the beginning
     * @param reason the number of the cluster's reason to abort, or 0
     * @param text for people: what happened and what to do
     */
    record Failed(int code, boolean transactionOver, boolean retryable, int reason, String text) implements Reply {
        /** Checks the numbers. */
        public Failed {
            checkRange("code", code, 1, 0xFFFF);
            checkRange("reason", reason, 0, 0xFFFF);
            Objects.requireNonNull(text, "text");
        }
    }

    private static void checkTable(int table) {
        checkRange("table", table, 0, 0xFFFF);
    }

    private static void checkValue(Bytes value) {
        checkRange("a record's bytes", value.length(), 1, Wire.RECORD_BYTES_MAX);
    }

    private static void checkTimestamp(long commitTs) {
        checkNotNegative("commitTs", commitTs);
    }

    private static void checkNotNegative(String what, long given) {
        if (given < 0) {
            throw new IllegalArgumentException(what + " must not be negative, got " + given);
        }
    }

    private static void checkRange(String what, int given, int min, int max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max + ", got " + given);
        }
    }
}
