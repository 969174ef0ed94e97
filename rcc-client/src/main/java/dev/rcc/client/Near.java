package dev.rcc.client;

import dev.rcc.client.wire.Key;
import java.util.Objects;

/**
 * A record at whose node a transaction best begins.
 *
 * @param table the name of the record's table, which determines the part of the key that decides on the node
 * @param key the record's key, as the table has it
 */
public record Near(String table, Key key) {
    /** Checks that neither is null. */
    public Near {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(key, "key");
    }
}
