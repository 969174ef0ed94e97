package dev.rcc.protocols.optimistic;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/** When a transaction locks the records that it writes. */
public enum LockTime {
    /** When the record is fetched to be written, as in the papers (rcc, 4.4 and 4.5; Sundial, 3.3.1): nothing of it changes afterwards. */
    ACCESS("access"),
    /** When the transaction commits, if the fetched record has not changed by then (the WOCC variant; Sundial, 5.2). */
    COMMIT("commit");

    private final String label;

    LockTime(String label) {
        this.label = label;
    }

    /**
     * The option of a protocol.
     *
     * @param protocol its name, with which the key begins
     * @param samples the values that trials draw from
     */
    public static Option option(String protocol, String... samples) {
        return Option.choice(
                        protocol + ".locks",
                        COMMIT.label,
                        List.of(ACCESS.label, COMMIT.label),
                        "when written records are locked: when they are accessed, or when the transaction commits")
                .withSamples(samples);
    }

    /** The value that users have chosen. */
    public static LockTime of(OptionValues values, Option option) {
        return values.text(option).equals(ACCESS.label) ? ACCESS : COMMIT;
    }
}
