package dev.rcc.protocols.optimistic;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;
import java.util.stream.Stream;

/** When a transaction locks the records that it writes. */
public enum LockTime {
    /** When the record is fetched to be written, as in the papers (rcc, 4.4 and 4.5; Sundial, 3.3.1): nothing of it changes afterwards. */
    ACCESS("access"),
    /** When the transaction commits, if the fetched record has not changed by then (the WOCC variant; Sundial, 5.2). */
    COMMIT("commit"),
    /**
     * When the transaction commits, and when the record is fetched once {@value #ATTEMPTS_AT_COMMIT} attempts have failed: a transaction that others
     * always overtake between its fetch and its locks holds the locks in the meantime.
     */
    ADAPTIVE("adaptive");

    /** The attempts of an adaptive transaction that lock when it commits. */
    private static final int ATTEMPTS_AT_COMMIT = 8;

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
                        List.of(ACCESS.label, COMMIT.label, ADAPTIVE.label),
                        "when written records are locked: when they are accessed, when the transaction commits, or"
                                + " (adaptive) when it commits in its first " + ATTEMPTS_AT_COMMIT
                                + " attempts and when they are accessed in later ones")
                .withSamples(samples);
    }

    /** The value that users have chosen. */
    public static LockTime of(OptionValues values, Option option) {
        String chosen = values.text(option);
        return Stream.of(values())
                .filter(time -> time.label.equals(chosen))
                .findFirst()
                .orElseThrow();
    }

    /** Whether any attempt locks when it accesses a record. */
    public boolean mayBeAccess() {
        return this != COMMIT;
    }

    /** Whether an attempt locks when it accesses a record; attempts are numbered from 0. */
    public boolean isAccess(int attempt) {
        return this == ACCESS || (this == ADAPTIVE && attempt >= ATTEMPTS_AT_COMMIT);
    }
}
