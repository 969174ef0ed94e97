package dev.rcc.core.option;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A set of options, in the order in which help shows them. Immutable. */
public final class OptionTable {
    private final String prefix;
    private final Map<String, Option> options = new LinkedHashMap<>();

    /**
     * Creates a table.
     *
     * @param prefix what users write before a key, as in {@code "-P "}; error messages repeat it
     */
    public OptionTable(String prefix, List<Option> options) {
        this.prefix = prefix;
        for (Option option : options) {
            if (this.options.put(option.key(), option) != null) {
                throw new IllegalArgumentException("two options are called " + option.key());
            }
        }
    }

    /** The options. */
    public List<Option> options() {
        return List.copyOf(options.values());
    }

    /** The keys of all options, in the table's order. */
    public Set<String> keys() {
        return Collections.unmodifiableSet(options.keySet());
    }

    /** All problems with the given values; each text names the key, the value and what is allowed. */
    public List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        given.forEach((key, value) -> {
            if (!options.containsKey(key)) {
                problems.add(prefix + key + ": there is no such key, got '" + key + "=" + value + "', allowed: "
                        + String.join(", ", options.keySet()));
            }
        });
        options.values().forEach(option -> {
            if (given.containsKey(option.key())) {
                option.problem(prefix, given.get(option.key())).ifPresent(problems::add);
            }
        });
        return problems;
    }

    /** The options whose value is given and is not the default one, as {@code key=value}, in the table's order. */
    public List<String> changed(Map<String, String> values) {
        return options.values().stream()
                .filter(option -> values.containsKey(option.key()))
                .filter(option -> !values.get(option.key()).equals(option.defaultValue()))
                .map(option -> option.key() + "=" + values.get(option.key()))
                .toList();
    }

    /**
     * Checks the given values and adds the defaults.
     *
     * @throws IllegalArgumentException for an unknown key or a value that is not allowed, naming the key, the value and what is allowed
     */
    public OptionValues parse(Map<String, String> given) {
        problems(given).stream().findFirst().ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        Map<String, String> values = options.values().stream()
                .collect(Collectors.toMap(
                        Option::key,
                        option -> given.containsKey(option.key()) ? given.get(option.key()) : option.defaultValue(),
                        (first, second) -> first,
                        LinkedHashMap::new));
        return new OptionValues(prefix, given.keySet(), values);
    }
}
