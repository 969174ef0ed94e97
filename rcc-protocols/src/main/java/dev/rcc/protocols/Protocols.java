package dev.rcc.protocols;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.waitdie.Waitdie;
import java.util.List;

/** The protocols by name. */
public final class Protocols {
    private static final List<Protocol> ALL =
            List.of(new Nowait(), new Waitdie(), new Occ(), new Mvcc(), new Sundial(), new Calvin());

    private Protocols() {}

    /** All protocols. */
    public static List<Protocol> all() {
        return ALL;
    }

    /** The names of all protocols. */
    public static List<String> names() {
        return ALL.stream().map(Protocol::name).toList();
    }

    /**
     * The protocol with this name.
     *
     * @throws IllegalArgumentException when there is none, with the names that there are
     */
    public static Protocol byName(String name) {
        return ALL.stream()
                .filter(protocol -> protocol.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("got '" + name + "'; allowed: " + String.join(", ", names())));
    }
}
