package dev.rcc.bench.paper;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Costs of the hardware at an end of their possible range, for costs that have no source. Immutable.
 *
 * @param name the name in a few words, for reports and JSON
 * @param costs the costs of the profile that are changed, by key
 */
public record Assumption(String name, Map<String, String> costs) {
    /** The profile unchanged. */
    public static final Assumption NONE = new Assumption("", Map.of());

    /** Takes a copy of the map. */
    public Assumption {
        costs = Collections.unmodifiableMap(new TreeMap<>(costs));
    }
}
