package dev.rcc.core.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The zone of each node. A <i>zone</i> is a group of nodes that may fail as a whole or be far away, such as a data centre. Zones have names, and are
 * numbered from 0 in the order in which the nodes name them first. The <i>rank</i> of a node is the number of nodes with smaller ids in its zone.
 *
 * <p>Immutable, for any thread. Queries by node allocate nothing. Two objects are equal if each node's zone has the same name in both.
 */
public final class Zones {
    /** The name of the zone of a cluster that names none. */
    public static final String DEFAULT_NAME = "default";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.]{1,64}");
    /** The form of a node's name, where either a node or a zone can be named. */
    private static final Pattern NODE = Pattern.compile("n[0-9]{1,9}");

    /** By zone. */
    private final List<String> names;
    /** By zone: its nodes, ascending. */
    private final List<List<Integer>> nodes;

    private final int[] zones;
    private final int[] ranks;

    private Zones(List<String> ofNodes) {
        this.names = List.copyOf(new LinkedHashSet<>(ofNodes));
        this.zones = ofNodes.stream().mapToInt(names::indexOf).toArray();
        this.ranks = new int[zones.length];
        List<List<Integer>> each = new ArrayList<>();
        for (int zone = 0; zone < names.size(); zone++) {
            int wanted = zone;
            int[] members = IntStream.range(0, zones.length)
                    .filter(node -> zones[node] == wanted)
                    .toArray();
            for (int rank = 0; rank < members.length; rank++) {
                ranks[members[rank]] = rank;
            }
            each.add(IntStream.of(members).boxed().toList());
        }
        this.nodes = List.copyOf(each);
    }

    /** One zone of {@code nodes} nodes, which has no name of its own. */
    public static Zones single(int nodes) {
        return new Zones(IntStream.range(0, nodes).mapToObj(_ -> DEFAULT_NAME).toList());
    }

    /**
     * Zones by name.
     *
     * @param names by node, the name of its zone: 1 to 64 letters, digits, _ and dots, not of the form of a node's name (n0)
     * @throws IllegalArgumentException when there is no node, or a name has another form; the message contains the name
     */
    public static Zones of(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("zones are of at least 1 node, got none");
        }
        for (String name : names) {
            if (!NAME.matcher(name).matches() || NODE.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "a zone's name is 1 to 64 letters, digits, _ and dots, and not of the"
                                + " form of a node's, n0, got '" + name + "'");
            }
        }
        return new Zones(names);
    }

    /** Number of nodes. */
    public int nodes() {
        return zones.length;
    }

    /** Number of zones, at least 1. */
    public int count() {
        return names.size();
    }

    /** The zone that a node is in. */
    public int zone(int node) {
        return zones[node];
    }

    /** The number of nodes with smaller ids in a node's zone. */
    public int rank(int node) {
        return ranks[node];
    }

    /** The name of a zone. */
    public String name(int zone) {
        return names.get(zone);
    }

    /** The name of the zone that a node is in. */
    public String nameOf(int node) {
        return names.get(zones[node]);
    }

    /** Whether the zones were named; the zone of {@link #single} was not. */
    public boolean areNamed() {
        return count() > 1 || !names.getFirst().equals(DEFAULT_NAME);
    }

    /** The names of all zones. */
    public List<String> names() {
        return names;
    }

    /** The nodes of a zone, ascending. */
    public List<Integer> nodes(int zone) {
        return nodes.get(zone);
    }

    /** The nodes of the zone with this name, ascending; none if there is no such zone. */
    public List<Integer> nodes(String name) {
        int zone = names.indexOf(name);
        return zone < 0 ? List.of() : nodes.get(zone);
    }

    /**
     * The most replicas of a partition that the zones have room for: the number of zones times the number of nodes of the smallest. Each zone has a
     * copy before any zone has two, and no node has two.
     */
    public int replicasMax() {
        int smallest = nodes.stream().mapToInt(List::size).min().orElseThrow();
        return count() * smallest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Zones that && names.equals(that.names) && Arrays.equals(zones, that.zones);
    }

    @Override
    public int hashCode() {
        return 31 * names.hashCode() + Arrays.hashCode(zones);
    }

    /** The name of each node's zone, by node id, separated by commas. */
    @Override
    public String toString() {
        return String.join(
                ",", IntStream.range(0, nodes()).mapToObj(this::nameOf).toList());
    }
}
