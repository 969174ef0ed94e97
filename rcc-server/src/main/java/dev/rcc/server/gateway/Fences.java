package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Message;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.locks.LockName;
import dev.rcc.server.locks.WorkerLocks;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The greatest token of each lock that has fenced a transaction, as records of the cluster. A transaction reads the lock's record, and writes its own
 * token if that is greater. So two transactions that are fenced by different holders meet at one record, and are ordered, whatever the protocol. A
 * transaction with a smaller token than the record's is refused. A record is eight bytes, the token, big-endian. Records are not removed, as late
 * holders are not known.
 */
public final class Fences {
    /** The table's name; users' tables do not have it. */
    static final String TABLE = "rcc.fences";

    private static final int KEY_BYTES = LockNamespace.NAME_BYTES_MAX + 1 + LockNamespace.LOCK_NAME_BYTES_MAX;

    private final Table table;
    private final GatewayNode node;
    private final List<LockNamespace> namespaces;

    private Fences(Table table, GatewayNode node, List<LockNamespace> namespaces) {
        this.table = table;
        this.node = node;
        this.namespaces = namespaces;
    }

    /**
     * The table that a cluster with locks needs.
     *
     * @param id the table's number, behind the users' tables
     * @param namespaces the locks' namespaces; each partition has room for all their names
     */
    public static TableSchema schema(int id, List<LockNamespace> namespaces) {
        long names = namespaces.stream().mapToLong(LockNamespace::names).sum();
        return TableSchema.ofByteKeys(id, TABLE, KEY_BYTES, Long.BYTES, names);
    }

    /** Whether a table is this one, which clients don't see. */
    static boolean isHidden(Catalog catalog, int id) {
        return catalog.table(id).schema().name().equals(TABLE);
    }

    /** The fences of a node whose cluster serves locks; empty for other nodes. */
    static Optional<Fences> of(GatewayNode node) {
        for (int id = 0; id < node.catalog().userTables(); id++) {
            if (isHidden(node.catalog(), id) && node.locks(0).isPresent()) {
                return Optional.of(new Fences(
                        node.catalog().table(id), node, node.locks(0).get().namespaces()));
            }
        }
        return Optional.empty();
    }

    /** The operation that a client asks for, with the reason to refuse it, if there is one. */
    static Operation.Fence operation(Optional<Fences> fences, Message.Fence asked, Permissions permissions) {
        return fences.map(each -> each.operation(asked, permissions))
                .orElseGet(() -> refused(new Failure(
                        ErrorCode.BAD_REQUEST,
                        "namespace: got '" + asked.namespace()
                                + "', allowed: none, as this cluster serves no locks (option locks)")));
    }

    private Operation.Fence operation(Message.Fence asked, Permissions permissions) {
        Failure wrong = LockSession.wrongName(namespaces, asked.namespace(), asked.name());
        if (wrong == null) {
            wrong = permissions.refusalToLock(asked.namespace());
        }
        if (wrong == null) {
            wrong = wrongToken(asked.token());
        }
        return wrong != null
                ? refused(wrong)
                : new Operation.Fence(table.id(), LockName.key(asked.namespace(), asked.name()), asked.token(), null);
    }

    private static Operation.Fence refused(Failure why) {
        return new Operation.Fence(-1, null, 0, why);
    }

    /**
     * Allows tokens of the next configuration: a node may enter a configuration later than other nodes, but no node enters one before all have
     * entered the previous one.
     */
    private Failure wrongToken(long token) {
        long epoch = node.locks(0).map(WorkerLocks::epoch).orElse(0L);
        return token >= 0 && LockToken.epoch(token) <= epoch + 1
                ? null
                : new Failure(
                        ErrorCode.BAD_REQUEST,
                        "token: got " + token
                                + ", allowed: a token that this cluster has issued (it is in configuration " + epoch
                                + ")");
    }

    /** The token in a record. */
    static long token(Bytes record) {
        return ByteBuffer.wrap(record.unsafeArray()).getLong();
    }

    /** The record of a token. */
    static Bytes record(long token) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(token).array());
    }
}
