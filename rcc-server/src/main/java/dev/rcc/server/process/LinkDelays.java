package dev.rcc.server.process;

import dev.rcc.core.option.Option;
import dev.rcc.transport.control.LinkFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Distances between nodes that are near each other in truth: what each link adds to a message's way. */
public final class LinkDelays {
    /** Where the nodes are. */
    public static final Option DATACENTERS = Option.text(
            "datacenters",
            "",
            "a name for each node, by id, with commas; not of the form of a node's, n0",
            "where the nodes are, for 'delay'; the same on all nodes");
    /** How much later messages arrive between them. */
    public static final Option DELAY = Option.text(
            "delay",
            "",
            "a-b=20ms or a-b=20ms~5ms (at random, up to 5 ms more) with commas; a and b are nodes (n0, n1) or"
                    + " datacenters, the time is at most 60 s, in us, ms or s",
            "how much later than otherwise what nodes send each other arrives, each way, on the network tcp; the same"
                    + " on all nodes");

    private static final Pattern LINK = Pattern.compile("([A-Za-z0-9_.]+)-([A-Za-z0-9_.]+)=([^~]+)(?:~([^~]+))?");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(us|ms|s)");
    private static final Pattern NODE = Pattern.compile("n([0-9]{1,9})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.]+");
    private static final Duration MAX = Duration.ofSeconds(60);

    private LinkDelays() {}

    /**
     * What the links of a node are like.
     *
     * @param datacenters the value of {@link #DATACENTERS}
     * @param delay the value of {@link #DELAY}
     * @return nothing if they are as they are
     * @throws IllegalArgumentException when a text cannot be meant
     */
    static Optional<LinkFaults> faults(String datacenters, String delay, int node, int nodes) {
        List<String> names = names(datacenters, nodes);
        if (delay.isBlank()) {
            return Optional.empty();
        }
        LinkFaults faults = new LinkFaults(node);
        for (String text : delay.split(",", -1)) {
            Matcher link = LINK.matcher(text.strip());
            if (!link.matches()) {
                throw refuse(DELAY, text);
            }
            List<Integer> some = nodes(link.group(1), names, nodes, text);
            List<Integer> others = nodes(link.group(2), names, nodes, text);
            Duration fixed = time(link.group(3), text);
            Duration jitter = link.group(4) == null ? Duration.ZERO : time(link.group(4), text);
            if (some.contains(node)) {
                delay(faults, node, others, fixed, jitter);
            }
            if (others.contains(node)) {
                delay(faults, node, some, fixed, jitter);
            }
        }
        return Optional.of(faults);
    }

    private static void delay(LinkFaults faults, int node, List<Integer> peers, Duration fixed, Duration jitter) {
        for (int peer : peers) {
            if (peer != node) {
                faults.delay(peer, fixed, jitter);
            }
        }
    }

    private static List<String> names(String datacenters, int nodes) {
        if (datacenters.isBlank()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String name : datacenters.split(",", -1)) {
            names.add(name.strip());
        }
        for (String name : names) {
            if (names.size() != nodes
                    || !NAME.matcher(name).matches()
                    || NODE.matcher(name).matches()) {
                throw refuse(DATACENTERS, datacenters);
            }
        }
        return names;
    }

    /** The nodes that a name is for: one, or all of a datacenter. */
    private static List<Integer> nodes(String name, List<String> datacenters, int nodes, String text) {
        Matcher node = NODE.matcher(name);
        if (node.matches()) {
            int id = Integer.parseInt(node.group(1));
            if (id < nodes) {
                return List.of(id);
            }
        }
        List<Integer> in = new ArrayList<>();
        for (int id = 0; id < datacenters.size(); id++) {
            if (datacenters.get(id).equals(name)) {
                in.add(id);
            }
        }
        if (in.isEmpty()) {
            throw new IllegalArgumentException(
                    DELAY + ": got '" + text.strip() + "', but there is no node or datacenter " + name + " among "
                            + nodes + " nodes" + (datacenters.isEmpty() ? "" : " in " + datacenters));
        }
        return in;
    }

    private static Duration time(String time, String text) {
        Matcher matcher = TIME.matcher(time);
        if (!matcher.matches()) {
            throw refuse(DELAY, text);
        }
        long amount = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(1_000 * amount);
            case "ms" -> Duration.ofMillis(amount);
            default -> Duration.ofSeconds(amount);
        };
        if (duration.compareTo(MAX) > 0) {
            throw refuse(DELAY, text);
        }
        return duration;
    }

    private static IllegalArgumentException refuse(Option option, String given) {
        return new IllegalArgumentException(option + ": got '" + given.strip() + "', allowed: " + option.allowed());
    }
}
