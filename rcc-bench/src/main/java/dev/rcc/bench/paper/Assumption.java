package dev.rcc.bench.paper;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Costs of the hardware at an end of the range that they may be in, where no source says what they are. Immutable.
 *
 * @param name in a few words, as reports and JSON write it
 * @param costs the costs of the profile that are changed, by key
 */
public record Assumption(String name, Map<String, String> costs) {
    /** The profile as it is. */
    public static final Assumption NONE = new Assumption("", Map.of());

    /** Takes a copy of the map. */
    public Assumption {
        costs = Collections.unmodifiableMap(new TreeMap<>(costs));
    }
}
