package dev.rcc.client;

import dev.rcc.client.wire.Key;
import java.util.Objects;

/**
 * A record at whose node something is best begun.
 *
 * @param table the name of its table, on which it depends what of the key decides
 * @param key its key, as the table has it
 */
public record Near(String table, Key key) {
    /** Neither is null. */
    public Near {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(key, "key");
    }
}
