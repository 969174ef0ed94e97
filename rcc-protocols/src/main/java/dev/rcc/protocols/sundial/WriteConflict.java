package dev.rcc.protocols.sundial;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;

/** What a transaction does when another one holds the lock of what it wants to write. */
public enum WriteConflict {
    /** It waits for a while if it is the older one, and aborts if it is the younger (Sundial, 3.3.1). */
    WAIT_DIE("wait-die"),
    /** It aborts. */
    NO_WAIT("no-wait");

    /** What users can choose. */
    static final Option OPTION = Option.choice(
                    "sundial.write-conflicts",
                    WAIT_DIE.label,
                    List.of(WAIT_DIE.label, NO_WAIT.label),
                    "what happens when two transactions want to write the same")
            .withSamples(NO_WAIT.label);

    private final String label;

    WriteConflict(String label) {
        this.label = label;
    }

    /** As users have chosen. */
    static WriteConflict of(OptionValues values) {
        return values.text(OPTION).equals(NO_WAIT.label) ? NO_WAIT : WAIT_DIE;
    }
}
