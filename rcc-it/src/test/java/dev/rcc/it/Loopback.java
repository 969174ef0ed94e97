package dev.rcc.it;

import java.util.Collection;
import java.util.stream.Collectors;

/** Where the nodes are that tests start on this machine. */
public final class Loopback {
    private Loopback() {}

    /** The nodes at these ports, as the option {@code peers} has them. */
    public static String peers(Collection<Integer> ports) {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }
}
