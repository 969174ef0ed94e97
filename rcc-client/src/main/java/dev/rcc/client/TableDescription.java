package dev.rcc.client;

import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.TableAttribute;

/**
 * What a cluster says of one of its tables.
 *
 * @param name what it is called
 * @param hasLongKeys whether its keys are 64-bit numbers; otherwise they are byte strings
 * @param keyBytesMax bytes of the longest key
 * @param recordBytes bytes of each record
 * @param ordered whether ranges of it can be scanned
 * @param distribution how its records are distributed over the nodes, as in the servers' configuration: {@code placed=4} by the first 4 bytes of their
 *     keys, {@code modulo=4} by these as a number, {@code replicated} to all nodes; {@code key} by whole keys, or by a rule that the gateway is too old to tell
 */
public record TableDescription(
        String name, boolean hasLongKeys, int keyBytesMax, int recordBytes, boolean ordered, String distribution) {
    static TableDescription of(Message.TableInfo table) {
        return new TableDescription(
                table.name(),
                table.hasLongKeys(),
                table.keyBytes(),
                table.recordBytes(),
                table.ordered(),
                distribution(table.distribution()));
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
