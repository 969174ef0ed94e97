package dev.rcc.server.process;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import java.util.List;
import java.util.stream.Stream;

/** The data centres of a cluster as users write them: each is a zone ({@link Zones}). */
public final class Datacenters {
    /** How data centres are written. */
    public static final String ALLOWED =
            "a name for each node, by id, with commas: 1 to 64 letters, digits, _ and dots, not of"
                    + " the form of a node's, n0";

    /** The option of a server. */
    public static final Option OPTION = Option.text(
            "datacenters",
            "",
            ALLOWED,
            "where the nodes are: the copies of a partition lie in different data centres; the same on all nodes");

    private Datacenters() {}

    /**
     * The zones that a text describes; a blank text describes a single zone without a name of its own.
     *
     * @param option the option whose value the text is
     * @throws IllegalArgumentException when the text does not have a name for each node
     */
    public static Zones parse(Option option, String text, int nodes) {
        if (text.isBlank()) {
            return Zones.single(nodes);
        }
        List<String> names = Stream.of(text.split(",", -1)).map(String::strip).toList();
        try {
            if (names.size() == nodes) {
                return Zones.of(names);
            }
        } catch (IllegalArgumentException e) {
            throw refuse(option, text, nodes, e);
        }
        throw refuse(option, text, nodes, null);
    }

    private static IllegalArgumentException refuse(Option option, String text, int nodes, Exception cause) {
        return new IllegalArgumentException(
                option + ": got '" + text.strip() + "' for " + nodes + " nodes, allowed: " + option.allowed(), cause);
    }

    /**
     * The placement of a cluster while no node is missing. If the number of replicas was not given, there are as many as there is room for, at
     * most the option's default.
     *
     * @param replicas the option for the copies of each partition, whose value is in {@code values}
     * @throws IllegalArgumentException when more replicas were given than the nodes or the data centres have room for
     */
    public static RingPlacement home(OptionValues values, Option replicas, Zones zones) {
        int wanted = values.intValue(replicas);
        int max = zones.replicasMax();
        if (wanted > max && values.isGiven(replicas)) {
            throw values.refuse(
                    replicas,
                    zones.count() == 1
                            ? "an integer from 1 to the number of nodes, " + max
                            : "an integer from 1 to " + max
                                    + ", the number of data centres times the nodes of the smallest, in " + zones);
        }
        return new RingPlacement(zones, Math.min(wanted, max));
    }
}
