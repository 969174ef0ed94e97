package dev.rcc.server;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.OptionTable;
import dev.rcc.transport.composite.CompositePairing;
import dev.rcc.transport.network.FabricPairing;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmProvider;
import dev.rcc.transport.tcp.TcpProvider;
import dev.rcc.transport.verbs.VerbsProvider;
import java.util.List;

/** The networks between processes, by name. */
public final class Networks {
    private static final List<FabricProvider> ALL = List.of(new TcpProvider(), new ShmProvider(), new VerbsProvider());

    /** The pairings that make one network of two; may be empty. */
    private static final List<FabricPairing> PAIRINGS = List.of(new CompositePairing());

    private Networks() {}

    /** All networks, with the default values of their options; the default network comes first. */
    public static List<FabricProvider> all() {
        return ALL;
    }

    /** The names of all networks, the default one first. */
    public static List<String> names() {
        return ALL.stream().map(FabricProvider::name).toList();
    }

    /** The names of the networks that can connect data centres while another network connects the nodes of each. */
    public static List<String> namesBetween() {
        return PAIRINGS.isEmpty()
                ? List.of()
                : ALL.stream()
                        .filter(network -> network.asSlower().isPresent())
                        .map(FabricProvider::name)
                        .toList();
    }

    /**
     * Makes one network of two.
     *
     * @param inside the network that connects the nodes of a zone
     * @param between the network that connects zones; one of {@link #namesBetween}
     */
    public static FabricProvider pair(FabricProvider inside, FabricProvider between, Zones zones) {
        return PAIRINGS.getFirst().pair(inside, between, zones);
    }

    /**
     * The options of all networks.
     *
     * @param prefix the text that users write before a key; error messages repeat it
     */
    public static OptionTable options(String prefix) {
        return new OptionTable(
                prefix,
                ALL.stream().flatMap(network -> network.options().stream()).toList());
    }

    /**
     * The network with this name.
     *
     * @throws IllegalArgumentException when there is none; the message lists the names
     */
    public static FabricProvider byName(String name) {
        return ALL.stream()
                .filter(network -> network.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("got '" + name + "'; allowed: " + String.join(", ", names())));
    }
}
