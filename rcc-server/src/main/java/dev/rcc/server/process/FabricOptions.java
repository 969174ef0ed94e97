package dev.rcc.server.process;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.server.Networks;
import dev.rcc.transport.network.FabricProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The networks between nodes that have a process each, as the command line and configurations choose them. */
public final class FabricOptions {
    /** The options of the networks, as {@code --fabric-options} names them. */
    public static final OptionTable TABLE = Networks.options("--fabric-options ");

    /** The network that is used unless another one is picked. */
    public static final String DEFAULT = Networks.names().getFirst();

    /** In place of a network between data centres: all nodes are on one network. */
    public static final String NONE = "none";

    /** The values of an option that selects the network between data centres. */
    public static final List<String> BETWEEN =
            Stream.concat(Stream.of(NONE), Networks.namesBetween().stream()).toList();

    private FabricOptions() {}

    /**
     * The network of a cluster.
     *
     * @param inside the network inside data centres, with its options
     * @param values contains the value of {@code between}
     * @param between the option that selects the network between data centres: one of {@link #BETWEEN}
     * @param datacenters the option for the nodes' data centres
     * @param options contains the options of the networks
     * @return one network made of the two; or {@code inside}, if it is also the network between data centres, or there is none
     *     between them
     * @throws IllegalArgumentException when no data centres were named
     */
    public static FabricProvider network(
            FabricProvider inside,
            OptionValues values,
            Option between,
            Option datacenters,
            OptionValues options,
            Zones zones) {
        String name = values.text(between);
        if (name.equals(NONE)) {
            return inside;
        }
        if (!zones.areNamed()) {
            throw values.refuse(between, NONE + " unless '" + datacenters + "' names the data centre of each node");
        }
        return name.equals(inside.name())
                ? inside
                : Networks.pair(inside, Networks.byName(name).with(options), zones);
    }

    /**
     * Gives a node's configuration a name for the resources that the nodes share on their host, unless it has one. Then several
     * clusters on one host do not meet, and files that are left belong to a known cluster.
     */
    public static void nameShared(Map<String, String> node, String name) {
        networks(node).stream()
                .flatMap(network -> network.sharedNameOption().stream())
                .forEach(option -> node.putIfAbsent(option.key(), name));
    }

    /** Gives a node's configuration the host at which the node takes data connections, unless it has one. */
    public static void listenAt(Map<String, String> node, String host) {
        networks(node).stream()
                .flatMap(network -> network.hostOption().stream())
                .forEach(option -> node.putIfAbsent(option.key(), host));
    }

    /** Removes the shared resources that killed nodes of a configuration have left on this host, if the configuration names them. */
    public static void removeLeft(Map<String, String> node) {
        Map<String, String> chosen = given(node);
        networks(node).stream()
                .filter(network -> network.sharedNameOption()
                        .filter(option -> node.containsKey(option.key()))
                        .isPresent())
                .forEach(network -> network.with(TABLE.parse(chosen)).removeLeft());
    }

    /** The networks' options in a node's configuration, without those that name the node's host and the resources that nodes share on it. */
    public static Map<String, String> chosen(Map<String, String> node) {
        Map<String, String> chosen = given(node);
        networks(node)
                .forEach(network -> Stream.of(network.hostOption(), network.sharedNameOption())
                        .flatMap(Optional::stream)
                        .forEach(option -> chosen.remove(option.key())));
        return chosen;
    }

    /** The networks' options in a node's configuration. */
    private static Map<String, String> given(Map<String, String> node) {
        Map<String, String> given = new LinkedHashMap<>(node);
        given.keySet().retainAll(TABLE.keys());
        return given;
    }

    private static List<FabricProvider> networks(Map<String, String> node) {
        return named(
                node.getOrDefault(ServerOptions.FABRIC.key(), DEFAULT),
                node.getOrDefault(ServerOptions.BETWEEN.key(), NONE));
    }

    /** The networks between processes that two options name, with the default values of their options. */
    public static List<FabricProvider> named(String inside, String between) {
        return Stream.of(inside, between)
                .distinct()
                .filter(Networks.names()::contains)
                .map(Networks::byName)
                .toList();
    }
}
