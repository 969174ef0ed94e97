package dev.rcc.server.process;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The options of a node of a cluster that is on loopback as a whole. */
final class LoopbackOptions {
    private static final int FIRST_PORT = 7000;

    private LoopbackOptions() {}

    /**
     * The options of node 0, which a caller may change.
     *
     * @param keysAndValues more options, or other values of these
     */
    static Map<String, String> of(int nodes, String... keysAndValues) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("node", "0");
        options.put("peers", peers(nodes));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return options;
    }

    /** As {@link #of(int, String...)}. */
    static Map<String, String> of(int nodes, Map<String, String> more) {
        Map<String, String> options = of(nodes);
        options.putAll(more);
        return options;
    }

    private static String peers(int nodes) {
        return IntStream.range(FIRST_PORT, FIRST_PORT + nodes)
                .mapToObj(port -> "127.0.0.1:" + port)
                .collect(Collectors.joining(","));
    }
}
