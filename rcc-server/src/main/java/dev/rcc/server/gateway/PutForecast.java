package dev.rcc.server.gateway;

import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * Whether a record that a client puts, and has never read, is probably there: by what was found of those that were put into the same table
 * before. A put that replaces is declared as a blind write, one that adds as an insert, and a wrong forecast costs an attempt. Some tables only
 * grow, and in others every put replaces; one put of the other kind does not change a forecast. Of one worker.
 */
final class PutForecast {
    private static final byte CERTAIN = 3;
    private static final byte LIKELY = 2;

    private final byte[] confidence;

    /** For so many tables; records are probably there. */
    PutForecast(int tables) {
        confidence = new byte[tables];
        Arrays.fill(confidence, CERTAIN);
    }

    /** Whether a record that is put into the table is probably there. */
    boolean isProbablyThere(Table table) {
        return confidence[table.id()] >= LIKELY;
    }

    /** A record that was put into the table was there, or was not. */
    void found(Table table, boolean wasThere) {
        byte before = confidence[table.id()];
        confidence[table.id()] = (byte) (wasThere ? Math.min(before + 1, CERTAIN) : Math.max(before - 1, 0));
    }
}
