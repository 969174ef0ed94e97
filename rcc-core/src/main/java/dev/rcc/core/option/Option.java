package dev.rcc.core.option;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One option: its name, its meaning, the allowed values and the default. Immutable. */
public final class Option {
    /** The value of a flag that is given. */
    public static final String ON = "on";

    private static final String OFF = "off";
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)");

    private final String key;
    private final String defaultValue;
    private final String allowed;
    private final String unit;
    private final String description;
    private final Predicate<String> isAllowed;
    private final List<String> samples;
    private final List<String> laterSamples;

    private Option(
            String key,
            String defaultValue,
            String allowed,
            String unit,
            String description,
            Predicate<String> isAllowed,
            List<String> samples,
            List<String> laterSamples) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.allowed = allowed;
        this.unit = unit;
        this.description = description;
        this.isAllowed = isAllowed;
        this.samples = samples;
        this.laterSamples = laterSamples;
        assert defaultValue.isEmpty() || isAllowed.test(defaultValue) : key + "=" + defaultValue;
    }

    /** An integer from {@code min} to {@code max}. */
    public static Option integer(String key, long defaultValue, long min, long max, String unit, String description) {
        boolean isAnyLong = min == Long.MIN_VALUE && max == Long.MAX_VALUE;
        return new Option(
                key,
                Long.toString(defaultValue),
                isAnyLong ? "any 64-bit integer" : "an integer from " + min + " to " + max,
                unit,
                description,
                text -> isIntegerIn(text, min, max),
                List.of(),
                List.of());
    }

    /** A power of two from {@code min} to {@code max}, which are powers of two. */
    public static Option powerOfTwo(
            String key, long defaultValue, long min, long max, String unit, String description) {
        return new Option(
                key,
                Long.toString(defaultValue),
                "a power of two from " + min + " to " + max,
                unit,
                description,
                text -> isIntegerIn(text, min, max) && Long.bitCount(Long.parseLong(text)) == 1,
                List.of(),
                List.of());
    }

    /** A decimal number from {@code min} to {@code max}. */
    public static Option decimal(
            String key, double defaultValue, double min, double max, String unit, String description) {
        return new Option(
                key,
                plain(defaultValue),
                "a number from " + plain(min) + " to " + plain(max),
                unit,
                description,
                text -> isDecimalIn(text, min, max),
                List.of(),
                List.of());
    }

    /** A word, the default, or a decimal number from {@code min} to {@code max}. */
    public static Option decimalOr(String word, String key, double min, double max, String unit, String description) {
        return new Option(
                key,
                word,
                "'" + word + "' or a number from " + plain(min) + " to " + plain(max),
                unit,
                description,
                text -> text.equals(word) || isDecimalIn(text, min, max),
                List.of(),
                List.of());
    }

    /** One of a few words. */
    public static Option choice(String key, String defaultValue, List<String> choices, String description) {
        List<String> copy = List.copyOf(choices);
        String allowed = copy.size() == 1 ? copy.getFirst() : "one of " + String.join(", ", copy);
        return new Option(key, defaultValue, allowed, "", description, copy::contains, List.of(), List.of());
    }

    /** One of two words. A hunt for anomalies draws the usual one, the default, twice as often, as with {@link #withLaterSamples}. */
    public static Option either(String key, String usual, String other, String description) {
        return choice(key, usual, List.of(usual, other), description).withLaterSamples(usual, usual, other);
    }

    /** One of an enum's constants, in lower case with hyphens. {@link OptionValues#choice} reads its value. */
    public static <E extends Enum<E>> Option choice(String key, E defaultValue, E[] choices, String description) {
        return choice(
                key, label(defaultValue), Stream.of(choices).map(Option::label).toList(), description);
    }

    /** How users write an enum's constant. */
    static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A switch, which is given without a value; its value is then {@value #ON}. */
    public static Option flag(String key, String description) {
        return new Option(
                key, OFF, "", "", description, text -> text.equals(ON) || text.equals(OFF), List.of(), List.of());
    }

    /** A text that its user checks; {@code allowed} says in words what may be given. */
    public static Option text(String key, String defaultValue, String allowed, String description) {
        return new Option(key, defaultValue, allowed, "", description, text -> true, List.of(), List.of());
    }

    /** A text of a certain form; {@code allowed} says in words which. */
    public static Option matching(String key, String defaultValue, Pattern form, String allowed, String description) {
        return new Option(
                key,
                defaultValue,
                allowed,
                "",
                description,
                text -> form.matcher(text).matches(),
                List.of(),
                List.of());
    }

    /** The same option with another default. */
    public Option withDefault(String other) {
        return new Option(key, other, allowed, unit, description, isAllowed, samples, laterSamples);
    }

    /**
     * The same option with values that a hunt for anomalies draws from.
     *
     * @throws IllegalArgumentException if one of them is not allowed
     */
    public Option withSamples(String... values) {
        List<String> all = List.of(values);
        all.forEach(value -> problem("", value).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        }));
        return new Option(key, defaultValue, allowed, unit, description, isAllowed, all, laterSamples);
    }

    /**
     * The same option with values that a hunt for anomalies draws from random numbers of their own: for an option that was added later, so that a
     * seed's other draws stay the same. If the option has samples, too, these come first, and the later ones replace the default only.
     *
     * @throws IllegalArgumentException if one of them is not allowed
     */
    public Option withLaterSamples(String... values) {
        Option checked = withSamples(values);
        return new Option(key, defaultValue, allowed, unit, description, isAllowed, samples, checked.samples);
    }

    /** The values that a hunt for anomalies draws from; empty if the hunt takes the default, or draws {@link #laterSamples}. */
    public List<String> samples() {
        return samples;
    }

    /** The values that a hunt for anomalies draws from random numbers of their own; mostly empty. */
    public List<String> laterSamples() {
        return laterSamples;
    }

    /** The option's name, as users write it. */
    public String key() {
        return key;
    }

    /** Its value when it is not given; empty when there is none. */
    public String defaultValue() {
        return defaultValue;
    }

    /** The allowed values, in words. */
    public String allowed() {
        return allowed;
    }

    /** The unit of its values; empty when they have none. */
    public String unit() {
        return unit;
    }

    /** The option's meaning, in a few words. */
    public String description() {
        return description;
    }

    /** Whether it is given without a value. */
    public boolean isFlag() {
        return defaultValue.equals(OFF);
    }

    /** Default, range and unit in a line, for help texts. */
    public String limits() {
        if (isFlag()) {
            return "off unless given";
        }
        String range = "allowed: " + allowed + (unit.isEmpty() ? "" : " (" + unit + ")");
        return defaultValue.isEmpty() ? range : "default " + defaultValue + "; " + range;
    }

    /** The problem with {@code given}: the option's name, what was given and what is allowed; empty if the value is allowed. */
    Optional<String> problem(String prefix, String given) {
        return isAllowed.test(given)
                ? Optional.empty()
                : Optional.of(prefix + key + ": got '" + given + "', allowed: " + allowed
                        + (unit.isEmpty() ? "" : " (" + unit + ")"));
    }

    @Override
    public String toString() {
        return key;
    }

    private static boolean isIntegerIn(String text, long min, long max) {
        try {
            long value = Long.parseLong(text);
            return value >= min && value <= max;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isDecimalIn(String text, double min, double max) {
        if (!DECIMAL.matcher(text).matches()) {
            return false;
        }
        double value = Double.parseDouble(text);
        return value >= min && value <= max;
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value).toPlainString();
    }
}
