package dev.rcc.server.gateway;

import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * Forecasts whether a record that a client puts, and has never read, exists: by earlier puts into the same table. A put that replaces a record is
 * declared as a blind write, and a put that adds one as an insert; a wrong forecast costs an attempt. Some tables only grow, and in other tables
 * every put replaces a record. One put of the other kind does not change a settled forecast. Used by one worker.
 */
final class PutForecast {
    private static final byte CERTAIN = 3;
    private static final byte LIKELY = 2;

    private final byte[] confidence;

    /** A forecast for so many tables; at first, records probably exist. */
    PutForecast(int tables) {
        confidence = new byte[tables];
        Arrays.fill(confidence, CERTAIN);
    }

    /** Whether a record that is put into the table probably exists. */
    boolean isProbablyThere(Table table) {
        return confidence[table.id()] >= LIKELY;
    }

    /** A record that was put into the table existed, or did not exist. */
    void found(Table table, boolean wasThere) {
        byte before = confidence[table.id()];
        confidence[table.id()] = (byte) (wasThere ? Math.min(before + 1, CERTAIN) : Math.max(before - 1, 0));
    }
}
