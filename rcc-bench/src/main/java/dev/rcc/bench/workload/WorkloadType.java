package dev.rcc.bench.workload;

import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of workload that users can choose.
 *
 * @param name the name by which users choose it
 * @param description its description, one sentence
 * @param options the workload's options
 * @param factory makes the workload
 */
public record WorkloadType(
        String name, String description, OptionTable options, Function<OptionValues, Workload> factory) {
    /** The text that users write before an option's key. */
    public static final String PREFIX = "-P ";

    /**
     * Makes the workload.
     *
     * @param given the options that are not to have their default
     * @throws IllegalArgumentException for an unknown key or a bad value; the message says what is allowed
     */
    public Workload create(Map<String, String> given) {
        return factory.apply(options.parse(given));
    }
}
