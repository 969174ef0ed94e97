package dev.rcc.protocols;

import dev.rcc.core.option.OptionTable;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.dslrlocking.DslrLocking;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.waitdie.Waitdie;
import java.util.List;

/** The protocols by name. */
public final class Protocols {
    private static final List<Protocol> ALL =
            List.of(new Nowait(), new Waitdie(), new Occ(), new Mvcc(), new Sundial(), new Calvin(), new DslrLocking());

    private static final OptionTable OPTIONS = new OptionTable(
            "-O ", ALL.stream().flatMap(protocol -> protocol.options().stream()).toList());

    private static final AbortReasons ABORT_REASONS = new AbortReasons(
            ALL.stream().flatMap(protocol -> protocol.abortReasons().stream()).toList());

    private Protocols() {}

    /** All protocols. */
    public static List<Protocol> all() {
        return ALL;
    }

    /** The names of all protocols. */
    public static List<String> names() {
        return ALL.stream().map(Protocol::name).toList();
    }

    /** The options of all protocols, as users give them with {@code -O}. */
    public static OptionTable options() {
        return OPTIONS;
    }

    /** The reasons for which transactions of any protocol abort. */
    public static AbortReasons abortReasons() {
        return ABORT_REASONS;
    }

    /**
     * The protocol with this name.
     *
     * @throws IllegalArgumentException if no protocol has it; the message lists the allowed names
     */
    public static Protocol byName(String name) {
        return ALL.stream()
                .filter(protocol -> protocol.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("got '" + name + "'; allowed: " + String.join(", ", names())));
    }
}
