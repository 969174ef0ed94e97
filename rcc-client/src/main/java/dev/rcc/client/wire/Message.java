package dev.rcc.client.wire;

import java.util.List;
import java.util.Objects;

/**
 * The messages between clients and gateways. Each message has a type, which is one byte on the wire; the highest bit of the type is set in
 * replies. Immutable.
 */
public sealed interface Message {
    /** A message from a client. */
    sealed interface Request extends Message {}

    /** A message from a gateway. */
    sealed interface Reply extends Message {}

    /** The answer to an {@link Operation}. */
    sealed interface OperationReply extends Reply {}

    /** A request within a transaction. */
    sealed interface InTransaction extends Request {
        /** {@return the client's number of the transaction, unique among the connection's open transactions} */
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
     * @param minVersion the least version of the protocol that the client speaks, 1 to 65535
     * @param maxVersion the greatest version that the client speaks
     * @param token the token that authenticates the client, or empty
     * @param client the client's name, for people
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
     * Begins a transaction. Not answered: if it fails, every later request of the transaction fails.
     *
     * @param txn the transaction's number
     * @param readOnly whether the gateway refuses writes
     * @param timeoutMillis the time from now until the gateway aborts the transaction, at least 1
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
     * @param forUpdate whether the transaction is going to write the record
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
     * Writes a record, whether or not the key has one. Answered by {@link Done}.
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
     * Writes a part of a record, if other parts are as expected. Answered by {@link Patched}. From version {@link Wire#PATCH_VERSION} on.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param key the record's key
     * @param patch the expected parts and the parts to write
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
     * Reads the records of a range in ascending or descending order of their keys. Answered by {@link Records}.
     *
     * @param txn the transaction's number
     * @param table the table's number
     * @param forUpdate whether the transaction is going to write the records
     * @param descending whether the greatest keys come first. From version {@link Wire#DESCENDING_VERSION} on
     * @param from the lower end of the range
     * @param to the upper end of the range
     * @param limit the most records to read, at least 1; the gateway may read fewer
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
     * Aborts the transaction. Answered by {@link Aborted}.
     *
     * @param txn the transaction's number, which is free afterwards
     */
    record Abort(int txn) implements InTransaction {}

    /**
     * Asks for the outcome of a commit whose answer was lost. Answered by {@link OutcomeIs}. If the gateway has not seen the commit
     * yet, it refuses the commit from now on.
     *
     * @param id the commit's name
     * @param incarnation the incarnation of the gateway to which the commit was sent
     * @param ageMillis how long ago the commit was sent
     */
    record AskOutcome(CommitId id, long incarnation, int ageMillis) implements Request {
        /** Checks the numbers. */
        public AskOutcome {
            Objects.requireNonNull(id, "id");
            checkRange("ageMillis", ageMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Runs a stored procedure in a transaction of its own. Answered by {@link Returned}. A repeated call under the same name is not
     * carried out again.
     *
     * @param readOnly whether the gateway refuses writes
     * @param timeoutMillis the time from now until the gateway aborts the transaction, at least 1
     * @param minCommitTs a commit timestamp that this transaction must come after, or 0
     * @param id the commit's name, or {@link CommitId#NONE}
     * @param procedure the procedure's name
     * @param argument the procedure's argument, at most {@link Wire#DATA_BYTES_MAX} bytes
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
     * Carries out one operation in a transaction of its own. Answered by {@link Autocommitted}, or by {@link Failed} if the transaction has had no
     * effect. A repeated request under the same name is not carried out again. From version {@link Wire#AUTOCOMMIT_VERSION} on.
     *
     * @param readOnly whether the gateway refuses writes
     * @param timeoutMillis the time from now until the gateway aborts the transaction, at least 1
     * @param minCommitTs a commit timestamp that this transaction must come after, or 0
     * @param id the commit's name, or {@link CommitId#NONE}
     * @param operation the operation, whose transaction has the number {@link #NO_TXN}
     */
    record Autocommit(boolean readOnly, int timeoutMillis, long minCommitTs, CommitId id, Operation operation)
            implements Request {
        /** The number of a transaction that is one request, and needs none. */
        public static final int NO_TXN = 0;

        /** Checks the numbers. */
        public Autocommit {
            checkRange("timeoutMillis", timeoutMillis, 1, Integer.MAX_VALUE);
            checkNotNegative("minCommitTs", minCommitTs);
            Objects.requireNonNull(id, "id");
            checkRange("the operation's transaction", operation.txn(), NO_TXN, NO_TXN);
        }
    }

    /**
     * Asks how full a table is. For users with the role admin on the table. Answered by {@link Usage}.
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
     * Asks for the connections to the gateway. For users with the role admin on all tables. Answered by {@link Sessions}.
     *
     * @param after the answer has only connections with greater numbers
     */
    record DescribeSessions(long after) implements Request {}

    /**
     * Closes a connection, even with open transactions. For users with the role admin on all tables. Answered by {@link Deleted}.
     *
     * @param number the connection's number
     */
    record EndSession(long number) implements Request {}

    /**
     * Asks for a lock. Answered by {@link Granted}, or by {@link Failed} if the lock is not granted in time. From version
     * {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of the lock, which no other lock that it holds or waits for on the connection has
     * @param namespace the name of the lock's namespace
     * @param name the lock's name there
     * @param mode the mode to hold the lock in
     * @param waitMillis how long to wait for the lock; with 0 it is granted at once or not at all
     * @param leaseMillis how long to hold the lock at most; 0 for the namespace's lease
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

    /** The mode in which a client holds a lock. */
    enum LockMode {
        /** To read, beside other readers. */
        SHARED(1),
        /** To read now, beside the clients that read already, and perhaps to write later, after an upgrade. */
        UPDATE(2),
        /** To write, alone. */
        EXCLUSIVE(3);

        private final int code;

        LockMode(int code) {
            this.code = code;
        }

        /** {@return the number on the wire} */
        public int code() {
            return code;
        }
    }

    /**
     * Upgrades a lock that is held for an update, so that it is held alone. Answered by {@link Granted}. If the earlier holders do not release the
     * lock in time, answered by {@link Failed}, and the lock is held as before. From version {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of the lock
     * @param waitMillis how long to wait
     */
    record Upgrade(int lock, int waitMillis) implements Request {
        /** Checks the time. */
        public Upgrade {
            checkRange("waitMillis", waitMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Releases a lock, or gives up the wait for it. Answered by {@link Done}, also if the lock is no longer held. A {@link Lock} or {@link Upgrade}
     * that still waits is answered by {@link Failed}. From version {@link Wire#LOCKS_VERSION} on.
     *
     * @param lock the client's number of the lock, which is free afterwards
     */
    record Unlock(int lock) implements Request {}

    /**
     * Fences the transaction by a lock: it takes effect only if no later holder of the lock has fenced a transaction before. Answered by
     * {@link Done}. From version {@link Wire#LOCKS_VERSION} on.
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
     * Asks for the locks of a namespace that the gateway's clients hold and wait for. Answered by {@link Locks}. From version
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
     * @param version the version of the protocol that both sides speak from now on
     * @param node the number of the gateway's node
     * @param incarnation the gateway's incarnation: no other gateway has this number, and the gateway has another number after a restart
     * @param cluster the cluster's name
     * @param protocol the name of the cluster's concurrency control protocol
     * @param limits the gateway's limits
     * @param members the addresses of the cluster's gateways, each as {@code host:port}
     * @param workers the number of the node's workers, which share its connections; 1 if the version is too old to contain it
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
     * A gateway's limits for one connection.
     *
     * @param frameLength the largest length of a frame
     * @param transactions the most transactions open at once
     * @param pipelined the most unanswered requests of a transaction
     * @param scanRecords the most records in one answer to a scan
     * @param transactionBytes the most bytes that a transaction writes, keys included
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
     * @param tables all tables of the cluster, at most {@link Wire#TABLES_MAX}
     * @param hasAttributes whether the catalogue contains the tables' attributes, from version {@link Wire#TABLE_ATTRIBUTES_VERSION} on; otherwise no
     *     table has any
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
     * @param id the table's number
     * @param name the table's name
     * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
     * @param keyBytes the bytes of its longest key
     * @param recordBytes the bytes of each record
     * @param ordered whether it can be scanned
     * @param attributes its further properties, by ascending kinds
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
         * Creates a table without attributes.
         *
         * @param id the table's number
         * @param name the table's name
         * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
         * @param keyBytes the bytes of its longest key
         * @param recordBytes the bytes of each record
         * @param ordered whether it can be scanned
         */
        public TableInfo(int id, String name, boolean hasLongKeys, int keyBytes, int recordBytes, boolean ordered) {
            this(id, name, hasLongKeys, keyBytes, recordBytes, ordered, List.of());
        }

        /** {@return the rule by which its records are distributed, or null for the hash of the whole key} */
        public TableAttribute.Distributed distribution() {
            return attribute(TableAttribute.Distributed.class);
        }

        /** {@return its attribute as an index, or null if it is no index} */
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
     * The record that was read.
     *
     * @param value the record's bytes, or null if the key has no record
     */
    record Value(Bytes value) implements OperationReply {
        /** Checks the length. */
        public Value {
            if (value != null) {
                checkValue(value);
            }
        }
    }

    /** The request was carried out. */
    record Done() implements OperationReply {}

    /**
     * The result of a patch.
     *
     * @param result whether the patch was written, or why not
     */
    record Patched(Patch.Result result) implements OperationReply {
        /** Checks that there is a result. */
        public Patched {
            Objects.requireNonNull(result, "result");
        }
    }

    /**
     * A record was removed, or a connection was closed.
     *
     * @param existed whether there was one
     */
    record Deleted(boolean existed) implements OperationReply {}

    /**
     * The records that a scan found.
     *
     * @param more whether the range may have more records after the last of these
     * @param records the records in the order of the scan
     */
    record Records(boolean more, List<KeyValue> records) implements OperationReply {
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
     * @param commitTs the transaction's commit timestamp, or 0 if it has none because it has only read
     */
    record Committed(long commitTs) implements Reply {
        /** Checks the timestamp. */
        public Committed {
            checkTimestamp(commitTs);
        }
    }

    /**
     * The transaction was aborted.
     *
     * @param readsHeld whether all of its reads were true at one moment; if not, the client's conclusions from them are not valid. False as well if
     *     the transaction failed before they were checked, and may come out otherwise when it is begun again
     */
    record Aborted(boolean readsHeld) implements Reply {}

    /**
     * The outcome of a commit.
     *
     * @param status whether the transaction has committed, or why that is not known
     * @param commitTs the commit timestamp if the transaction has committed, otherwise 0
     * @param result the result of the stored procedure; null if the commit was not of a procedure call, or the result is no longer known
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
         * Creates an outcome without a result.
         *
         * @param status whether the transaction has committed, or why that is not known
         * @param commitTs the commit timestamp if the transaction has committed, otherwise 0
         */
        public OutcomeIs(Status status, long commitTs) {
            this(status, commitTs, null);
        }
    }

    /** The outcomes of a commit. */
    enum Status {
        /** The transaction has committed. */
        COMMITTED(1),
        /** The transaction has not committed, and never will. */
        NOT_COMMITTED(2),
        /** The outcome is being decided: ask again. */
        IN_PROGRESS(3),
        /** This gateway does not know the outcome: the commit was sent to another gateway, or this gateway has forgotten it. */
        UNKNOWN(4);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        /** {@return the number on the wire} */
        public int code() {
            return code;
        }
    }

    /**
     * The addresses of the cluster's gateways, sent when they have changed. With request 0, as it answers no request.
     *
     * @param members the addresses, each as {@code host:port}
     */
    record Members(List<String> members) implements Reply {
        /** Copies the list. */
        public Members {
            members = List.copyOf(members);
            checkRange("members", members.size(), 0, Wire.MEMBERS_MAX);
        }
    }

    /**
     * The zones of the cluster's gateways, sent right after the welcome and when they have changed; not sent if no zones are named. With request 0,
     * as it answers no request. From version {@link Wire#ZONES_VERSION} on.
     *
     * @param gateways the gateways whose zone is known
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
     * @param address the gateway's address, {@code host:port}
     * @param zone the name of its zone
     */
    record ZonedGateway(String address, String zone) {}

    /**
     * The nodes of the cluster's partitions, sent right after the welcome and when they have changed. With request 0, as it answers no request. From
     * version {@link Wire#PLACEMENT_VERSION} on.
     *
     * @param epoch the number of the configuration with this placement; 0 in clusters that do not number configurations
     * @param primaries by partition the node with its primary copy, for at least one partition; {@link KeyPartition} computes the partition of a key
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
     * @param commitTs the transaction's commit timestamp, or 0 if it has none because it has only read
     * @param result the procedure's result, at most {@link Wire#DATA_BYTES_MAX} bytes
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
     * @param records the number of records
     * @param capacity the number of records that the partitions are sized for
     * @param overflow the number of the records in overflow segments; {@link #UNKNOWN} before version {@link Wire#OVERFLOW_VERSION}
     * @param overflowCapacity the number of records that overflow segments are sized for; {@link #UNKNOWN} before the same version
     */
    record Usage(long records, long capacity, long overflow, long overflowCapacity) implements Reply {
        /** In place of a number that gateways of earlier versions do not report. */
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
         * Creates the usage that gateways of earlier versions report.
         *
         * @param records the number of records
         * @param capacity the number of records that the partitions are sized for
         */
        public Usage(long records, long capacity) {
            this(records, capacity, UNKNOWN, UNKNOWN);
        }
    }

    /**
     * The connections to the gateway.
     *
     * @param more whether there are more connections after the last of these
     * @param sessions the connections by ascending numbers
     */
    record Sessions(boolean more, List<Session> sessions) implements Reply {
        /** Copies the list. */
        public Sessions {
            sessions = List.copyOf(sessions);
        }
    }

    /**
     * A client's connection.
     *
     * @param number the connection's number at its gateway
     * @param user the client's user
     * @param client the client's name, from its hello
     * @param address the client's address
     * @param transactions the number of open transactions on the connection
     * @param connectedMillis for how long the connection has existed
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
     * A lock was granted or upgraded.
     *
     * @param token the fencing token: greater than the tokens of all earlier holders of the lock
     * @param leaseLeftMillis how long the client may hold the lock from now on
     */
    record Granted(long token, int leaseLeftMillis) implements Reply {
        /** Checks the numbers. */
        public Granted {
            checkNotNegative("token", token);
            checkRange("leaseLeftMillis", leaseLeftMillis, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * A lock is no longer held, though the client did not release it. With request 0, as it answers no request.
     *
     * @param lock the client's number of the lock, which is free afterwards
     */
    record LockLost(int lock) implements Reply {}

    /**
     * The locks of a namespace that the gateway's clients hold and wait for.
     *
     * @param more whether there are more locks, for which the frame had no room
     * @param locks the locks, those of a worker in the order of their requests
     */
    record Locks(boolean more, List<LockInfo> locks) implements Reply {
        /** Copies the list. */
        public Locks {
            locks = List.copyOf(locks);
        }
    }

    /**
     * A lock that a client holds or waits for.
     *
     * @param name the lock's name in its namespace
     * @param mode the mode that the client requested
     * @param held whether the client holds the lock; otherwise it waits for the lock
     * @param token the fencing token; 0 if the lock is not held
     * @param leaseLeftMillis the rest of the lease; 0 if the lock is not held
     * @param user the client's user
     * @param client the client's name, from its hello
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
     * An operation was carried out, and its transaction has committed. From version {@link Wire#AUTOCOMMIT_VERSION} on.
     *
     * @param commitTs the transaction's commit timestamp, or 0 if it has none because it has only read
     * @param answer the operation's answer; {@link Failed} if the operation alone has failed, as an insert where a record exists
     */
    record Autocommitted(long commitTs, OperationReply answer) implements Reply {
        /** Checks the timestamp. */
        public Autocommitted {
            checkNotNegative("commitTs", commitTs);
            Objects.requireNonNull(answer, "answer");
        }
    }

    /**
     * The request has failed.
     *
     * @param code the number of an {@code ErrorCode}, 1 to 65535
     * @param transactionOver whether the transaction has ended without effect
     * @param retryable whether the same transaction may succeed when it is tried again from the beginning
     * @param reason the number of the cluster's reason to abort, or 0
     * @param text a message for people: what happened and what to do
     */
    record Failed(int code, boolean transactionOver, boolean retryable, int reason, String text)
            implements OperationReply {
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
