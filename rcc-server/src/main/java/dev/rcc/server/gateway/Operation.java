package dev.rcc.server.gateway;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Patch;

/** An operation of a transaction on records, the same for a remote client and for a stored procedure. Answered by a {@link Message.Reply}. */
public sealed interface Operation extends Request {
    /** The table's number in the catalogue; there may be no such table. */
    int table();

    /** An operation on one key. */
    sealed interface OnKey extends Operation {
        /** The key; it may be of another kind than the table's keys. */
        Key key();
    }

    /** Reads a record, perhaps to write it then. */
    record Get(int table, Key key, boolean forUpdate) implements OnKey {}

    /** Writes a record, whether or not there is one. */
    record Put(int table, Key key, Bytes value) implements OnKey {}

    /** Adds a record. */
    record Insert(int table, Key key, Bytes value) implements OnKey {}

    /** Writes a part of a record, if other parts are as expected. */
    record PatchRecord(int table, Key key, Patch patch) implements OnKey {}

    /** Removes a record. */
    record Delete(int table, Key key) implements OnKey {}

    /**
     * Keeps a lock's token, unless a later holder's is kept.
     *
     * @param table the table of the tokens
     * @param token the holder's token
     * @param wrong why it is not carried out, or null; if it is not null, the other components have no meaning
     */
    record Fence(int table, Key key, long token, Failure wrong) implements OnKey {}

    /** Reads the records of a range, perhaps to write them then. */
    record Scan(int table, boolean descending, Bound from, Bound to, int limit, boolean forUpdate)
            implements Operation {}

    /** The operation that a message asks for. */
    static Operation of(Message.Operation message) {
        return switch (message) {
            case Message.Get get -> new Get(get.table(), get.key(), get.forUpdate());
            case Message.Put put -> new Put(put.table(), put.key(), put.value());
            case Message.Insert insert -> new Insert(insert.table(), insert.key(), insert.value());
            case Message.PatchRecord patched -> new PatchRecord(patched.table(), patched.key(), patched.patch());
            case Message.Delete delete -> new Delete(delete.table(), delete.key());
            case Message.Scan scan ->
                new Scan(scan.table(), scan.descending(), scan.from(), scan.to(), scan.limit(), scan.forUpdate());
        };
    }
}
