package dev.rcc.server.process;

import dev.rcc.core.option.OptionTable;
import dev.rcc.server.Networks;
import dev.rcc.transport.network.FabricProvider;
import java.util.LinkedHashMap;
import java.util.Map;

/** The networks between nodes that have a process each, as the command line and configurations choose them. */
public final class FabricOptions {
    /** What can be chosen about the networks, as {@code --fabric-options} names it. */
    public static final OptionTable TABLE = Networks.options("--fabric-options ");

    /** The network that is used unless another one is picked. */
    public static final String DEFAULT = Networks.names().getFirst();

    private FabricOptions() {}

    /**
     * Gives a node's configuration a name of its own for what the nodes share on their host, unless it has one: several clusters
     * on one host do not meet, and it is known whose files are left.
     */
    public static void nameShared(Map<String, String> node, String name) {
        network(node).sharedNameOption().ifPresent(option -> node.putIfAbsent(option.key(), name));
    }

    /** Gives a node's configuration the host at which the node takes data connections, unless it has one. */
    public static void listenAt(Map<String, String> node, String host) {
        network(node).hostOption().ifPresent(option -> node.putIfAbsent(option.key(), host));
    }

    /** Removes what killed nodes of a configuration have left on this host, if it names what they share. */
    public static void removeLeft(Map<String, String> node) {
        FabricProvider network = network(node);
        if (network.sharedNameOption()
                .filter(option -> node.containsKey(option.key()))
                .isPresent()) {
            Map<String, String> chosen = new LinkedHashMap<>(node);
            chosen.keySet().retainAll(TABLE.keys());
            network.with(TABLE.parse(chosen)).removeLeft();
        }
    }

    private static FabricProvider network(Map<String, String> node) {
        return Networks.byName(node.getOrDefault(ServerOptions.FABRIC.key(), DEFAULT));
    }
}
