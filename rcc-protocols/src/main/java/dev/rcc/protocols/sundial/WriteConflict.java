package dev.rcc.protocols.sundial;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/** The reaction of a transaction when another one holds the lock of a record that it wants to write. */
public enum WriteConflict {
    /** It waits for a while if it is the older one, and aborts if it is the younger (Sundial, 3.3.1). */
    WAIT_DIE("wait-die"),
    /** It aborts. */
    NO_WAIT("no-wait");

    /** The option that users can set. */
    static final Option OPTION = Option.choice(
                    "sundial.write-conflicts",
                    WAIT_DIE.label,
                    List.of(WAIT_DIE.label, NO_WAIT.label),
                    "how a transaction reacts when another one holds the lock of a record that it wants to write")
            .withSamples(NO_WAIT.label);

    private final String label;

    WriteConflict(String label) {
        this.label = label;
    }

    /** The value that users have chosen. */
    static WriteConflict of(OptionValues values) {
        return values.text(OPTION).equals(NO_WAIT.label) ? NO_WAIT : WAIT_DIE;
    }
}
