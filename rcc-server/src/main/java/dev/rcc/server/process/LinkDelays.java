package dev.rcc.server.process;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.transport.control.LinkFaults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Simulated distances between nodes that are in fact near each other: the delay that each link adds to a message. */
public final class LinkDelays {
    /** How delays are written. */
    public static final String ALLOWED =
            "a-b=20ms or a-b=20ms~5ms (at random, up to 5 ms more) with commas; a and b are nodes (n0, n1) or"
                    + " datacenters, the time is at most 60 s, in us, ms or s";

    /** How much later messages arrive. */
    public static final Option DELAY = Option.text(
            "delay",
            "",
            ALLOWED,
            "extra delay of each message between nodes, in each direction, on the network tcp; the same on all nodes");

    private static final Pattern LINK = Pattern.compile("([A-Za-z0-9_.]+)-([A-Za-z0-9_.]+)=([^~]+)(?:~([^~]+))?");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(us|ms|s)");
    private static final Pattern NODE = Pattern.compile("n([0-9]{1,9})");
    private static final Duration MAX = Duration.ofSeconds(60);

    private LinkDelays() {}

    /** Receives the delay of each delayed link, for one direction. */
    public interface Listener {
        /**
         * Messages from node {@code from} to another node, {@code to}, arrive later: by {@code fixed} and, at random, up to {@code jitter}
         * more.
         */
        void delay(int from, int to, Duration fixed, Duration jitter);
    }

    /**
     * The delays of the links of a node.
     *
     * @param delay the value of {@link #DELAY}
     * @return empty if no link is delayed
     * @throws IllegalArgumentException when the text is invalid
     */
    static Optional<LinkFaults> faults(Zones zones, String delay, int node) {
        if (delay.isBlank()) {
            return Optional.empty();
        }
        LinkFaults faults = new LinkFaults(node);
        parse(DELAY, zones, delay, (from, to, fixed, jitter) -> {
            if (from == node) {
                faults.delay(to, fixed, jitter);
            }
        });
        return Optional.of(faults);
    }

    /**
     * Calls the listener for each link that a text names, in the order of the text. If two of its parts name the same link, the later one
     * counts.
     *
     * @param option the option whose value the text is
     * @throws IllegalArgumentException when the text is invalid
     */
    public static void parse(Option option, Zones zones, String text, Listener listener) {
        if (text.isBlank()) {
            return;
        }
        for (String each : text.split(",", -1)) {
            Matcher link = LINK.matcher(each.strip());
            if (!link.matches()) {
                throw refuse(option, each);
            }
            List<Integer> some = nodes(option, link.group(1), zones, each);
            List<Integer> others = nodes(option, link.group(2), zones, each);
            Duration fixed = time(option, link.group(3), each);
            Duration jitter = link.group(4) == null ? Duration.ZERO : time(option, link.group(4), each);
            for (int one : some) {
                for (int other : others) {
                    if (one != other) {
                        listener.delay(one, other, fixed, jitter);
                        listener.delay(other, one, fixed, jitter);
                    }
                }
            }
        }
    }

    /** The nodes that a name stands for: one node, or all nodes of a data centre. */
    private static List<Integer> nodes(Option option, String name, Zones zones, String text) {
        Matcher node = NODE.matcher(name);
        if (node.matches() && Integer.parseInt(node.group(1)) < zones.nodes()) {
            return List.of(Integer.parseInt(node.group(1)));
        }
        List<Integer> in = zones.areNamed() ? zones.nodes(name) : List.of();
        if (in.isEmpty()) {
            throw new IllegalArgumentException(
                    option + ": got '" + text.strip() + "', but there is no node or datacenter " + name + " among "
                            + zones.nodes() + " nodes" + (zones.areNamed() ? " in " + zones.names() : ""));
        }
        return in;
    }

    private static Duration time(Option option, String time, String text) {
        Matcher matcher = TIME.matcher(time);
        if (!matcher.matches()) {
            throw refuse(option, text);
        }
        long amount = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(1_000 * amount);
            case "ms" -> Duration.ofMillis(amount);
            default -> Duration.ofSeconds(amount);
        };
        if (duration.compareTo(MAX) > 0) {
            throw refuse(option, text);
        }
        return duration;
    }

    private static IllegalArgumentException refuse(Option option, String given) {
        return new IllegalArgumentException(option + ": got '" + given.strip() + "', allowed: " + option.allowed());
    }
}
