package dev.rcc.core.option;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The values of the options of an {@link OptionTable}, checked and with defaults. Immutable. */
public final class OptionValues {
    private final String prefix;
    private final Set<String> given;
    private final Map<String, String> values;

    OptionValues(String prefix, Set<String> given, Map<String, String> values) {
        this.prefix = prefix;
        this.given = Set.copyOf(given);
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The value of an integer option. */
    public long integer(Option option) {
        return Long.parseLong(text(option));
    }

    /** The value of an integer option whose range fits in an {@code int}. */
    public int intValue(Option option) {
        return Math.toIntExact(integer(option));
    }

    /** The value of a decimal option. */
    public double decimal(Option option) {
        return Double.parseDouble(text(option));
    }

    /** The value of an option whose choices are an enum's constants. */
    public <E extends Enum<E>> E choice(Option option, E[] choices) {
        String text = text(option);
        return Stream.of(choices)
                .filter(choice -> Option.label(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(option.key() + " has no choice " + text));
    }

    /** The value of any option, as it was written. */
    public String text(Option option) {
        String value = values.get(option.key());
        if (value == null) {
            throw new IllegalArgumentException("no option " + option.key() + " in this table");
        }
        return value;
    }

    /** Whether the value was given, rather than the default. */
    public boolean isGiven(Option option) {
        return given.contains(option.key());
    }

    /** All values by key, as they were written, in the table's order. */
    public Map<String, String> asMap() {
        return values;
    }

    /**
     * The exception that refuses an option's value, for conditions between options.
     *
     * @param allowed the allowed values, given the other options
     */
    public IllegalArgumentException refuse(Option option, String allowed) {
        return new IllegalArgumentException(
                prefix + option.key() + ": got '" + text(option) + "', allowed: " + allowed);
    }

    /**
     * Refuses values of options that may not be given, for conditions between options.
     *
     * @param allowed what is allowed in place of such a value, given the other options
     * @throws IllegalArgumentException when one of the options was given; {@linkplain #refuse names} it
     */
    public void refuseGiven(Iterable<Option> options, String allowed) {
        for (Option option : options) {
            if (isGiven(option)) {
                throw refuse(option, allowed);
            }
        }
    }
}
