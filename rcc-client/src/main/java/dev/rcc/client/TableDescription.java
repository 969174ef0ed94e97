package dev.rcc.client;

import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.TableAttribute;
import java.util.List;

/**
 * A cluster's description of one of its tables.
 *
 * @param name the table's name
 * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
 * @param keyBytesMax the bytes of the longest key
 * @param recordBytes the bytes of each record
 * @param ordered whether ranges of it can be scanned
 * @param distribution how its records are distributed over the nodes, as in the servers' configuration: {@code placed=4} by the first 4 bytes of
 *     their keys, {@code modulo=4} by these bytes as a number, {@code replicated} to all nodes, {@code key} by whole keys. A gateway before version 5
 *     of the wire protocol does not report the rule: then it is {@code key}
 * @param indexOf the name of the table that this table is an index of; clients cannot write an index. Empty if this table is no index, or the gateway
 *     is too old to report it
 * @param unique whether it is a unique index, in which no two records may have the same index key
 */
public record TableDescription(
        String name,
        boolean hasLongKeys,
        int keyBytesMax,
        int recordBytes,
        boolean ordered,
        String distribution,
        String indexOf,
        boolean unique) {
    /** The description of a table from a gateway's catalogue. */
    static TableDescription of(Message.TableInfo table, List<Message.TableInfo> all) {
        TableAttribute.Indexing indexing = table.indexing();
        return new TableDescription(
                table.name(),
                table.hasLongKeys(),
                table.keyBytes(),
                table.recordBytes(),
                table.ordered(),
                distribution(table.distribution()),
                indexing == null ? "" : name(indexing.table(), all),
                indexing != null && indexing.unique());
    }

    private static String name(int id, List<Message.TableInfo> all) {
        return all.stream()
                .filter(table -> table.id() == id)
                .map(Message.TableInfo::name)
                .findFirst()
                .orElse("");
    }

    private static String distribution(TableAttribute.Distributed distribution) {
        return switch (distribution) {
            case null -> "key";
            case TableAttribute.Distributed(var rule, int bytes) ->
                switch (rule) {
                    case PREFIX -> "placed=" + bytes;
                    case MODULO -> "modulo=" + bytes;
                    case REPLICATED -> "replicated";
                };
        };
    }
}
