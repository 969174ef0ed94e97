package dev.rcc.bench.cli;

import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An option that takes one value after the other: one of the cluster's sizes or any option of the workload.
 *
 * @param key the users' name of the swept option, empty if nothing is swept
 * @param isProperty whether the option belongs to the workload
 * @param option the key of the option that is set
 * @param values the option's values
 */
record Sweep(String key, boolean isProperty, String option, List<String> values) {
    /** The sweep in which nothing varies. */
    static final Sweep NONE = new Sweep("", false, "", List.of(""));

    private static final List<Option> SIZES =
            List.of(BenchOptions.NODES, BenchOptions.WORKERS, BenchOptions.COROUTINES, BenchOptions.REPLICAS);

    /** The literature's name of an option, and the names that workloads have for it. */
    private static final Map<String, List<String>> ALIASES = Map.of(
            "contention", List.of("hot-probability", "hot-access-percent"), "computation", List.of("compute-us"));

    /**
     * Reads {@code --sweep}; the values themselves are checked when they are {@link #apply applied}.
     *
     * @param givenProperties the values given with {@code -P}
     * @throws IllegalArgumentException naming the value given and the values allowed; also if the swept option is given itself
     */
    static Sweep of(OptionTable table, Map<String, String> given, List<String> givenProperties) {
        String text = given.getOrDefault(BenchOptions.SWEEP.key(), "");
        if (!given.containsKey(BenchOptions.SWEEP.key())) {
            return NONE;
        }
        WorkloadType workload = Workloads.byName(table.parse(Map.of(
                        BenchOptions.WORKLOAD.key(),
                        given.getOrDefault(BenchOptions.WORKLOAD.key(), BenchOptions.WORKLOAD.defaultValue())))
                .text(BenchOptions.WORKLOAD));
        int equals = text.indexOf('=');
        String key = equals < 0 ? text : text.substring(0, equals);
        List<String> values =
                equals < 0 ? List.of() : List.of(text.substring(equals + 1).split(",", -1));
        Set<String> properties = workload.options().keys();
        for (Option size : SIZES) {
            if (size.key().equals("--" + key) && !values.isEmpty()) {
                refuseIf(given.containsKey(size.key()), text, size.key());
                return new Sweep(key, false, size.key(), values);
            }
        }
        for (String candidate : ALIASES.getOrDefault(key, List.of(key))) {
            if (properties.contains(candidate) && !values.isEmpty()) {
                refuseIf(
                        givenProperties.stream().anyMatch(property -> property.startsWith(candidate + "=")),
                        text,
                        WorkloadType.PREFIX + candidate);
                return new Sweep(key, true, candidate, values);
            }
        }
        throw new IllegalArgumentException(BenchOptions.SWEEP + ": got '" + text
                + "', allowed: key=value,value,... where key is one of " + String.join(", ", allowed(properties)));
    }

    /** A value of the swept option itself would have no effect. */
    private static void refuseIf(boolean isGiven, String text, String option) {
        if (isGiven) {
            throw new IllegalArgumentException(BenchOptions.SWEEP + ": got '" + text + "' and " + option
                    + ", allowed: only one of them, because the sweep sets that option");
        }
    }

    /** Whether nothing varies. */
    boolean isNone() {
        return key.isEmpty();
    }

    /** Sets the option to a value, in the given options or properties. */
    void apply(String value, Map<String, String> options, List<String> properties) {
        if (isProperty) {
            properties.add(option + "=" + value);
        } else if (!isNone()) {
            options.put(option, value);
        }
    }

    private static List<String> allowed(Set<String> properties) {
        List<String> allowed = new ArrayList<>();
        SIZES.forEach(size -> allowed.add(size.key().substring(2)));
        ALIASES.forEach((alias, names) -> {
            if (names.stream().anyMatch(properties::contains)) {
                allowed.add(alias);
            }
        });
        allowed.sort(null);
        allowed.addAll(properties);
        return allowed;
    }
}
