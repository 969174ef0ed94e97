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

    /** What makes one network of two: empty if there is nothing that does. */
    private static final List<FabricPairing> PAIRINGS = List.of(new CompositePairing());

    private Networks() {}

    /** All networks, with the default values of their options; the one that is used unless another is chosen comes first. */
    public static List<FabricProvider> all() {
        return ALL;
    }

    /** The names of all networks, the default one first. */
    public static List<String> names() {
        return ALL.stream().map(FabricProvider::name).toList();
    }

    /** The names of the networks that can lead from data centre to data centre while another one leads from node to node of one. */
    public static List<String> namesBetween() {
        return PAIRINGS.isEmpty()
                ? List.of()
                : ALL.stream()
                        .filter(network -> network.asSlower().isPresent())
                        .map(FabricProvider::name)
                        .toList();
    }

    /**
     * One network of two.
     *
     * @param inside leads from node to node of a zone
     * @param between leads from zone to zone; one of {@link #namesBetween}
     */
    public static FabricProvider pair(FabricProvider inside, FabricProvider between, Zones zones) {
        return PAIRINGS.getFirst().pair(inside, between, zones);
    }

    /**
     * The options of all networks.
     *
     * @param prefix what users write before a key; error messages repeat it
     */
    public static OptionTable options(String prefix) {
        return new OptionTable(
                prefix,
                ALL.stream().flatMap(network -> network.options().stream()).toList());
    }

    /**
     * The network with this name.
     *
     * @throws IllegalArgumentException when there is none, with the names that there are
     */
    public static FabricProvider byName(String name) {
        return ALL.stream()
                .filter(network -> network.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("got '" + name + "'; allowed: " + String.join(", ", names())));
    }
}
