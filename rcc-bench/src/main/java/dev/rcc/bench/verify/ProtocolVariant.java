package dev.rcc.bench.verify;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A protocol with options.
 *
 * @param protocol the protocol
 * @param values the values of its options that are given or drawn, by key
 * @param options the options that differ from the defaults, in the form of {@code -O}; empty if none does
 */
record ProtocolVariant(Protocol protocol, Map<String, String> values, String options) {
    private static final int DRAWS = 12;
    private static final long LATER_STREAM = 0x8CB92BA72F3D8DD7L;
    private static final long AGAIN_STREAM = 0xC2B2AE3D27D4EB4FL;

    /**
     * Draws a variant: half of the time the options that are not given have their defaults, else some of their samples.
     *
     * @param given the given options of all protocols, by key
     */
    static ProtocolVariant draw(Protocol protocol, Map<String, String> given, SplittableRandom random) {
        int first = random.nextInt(DRAWS);
        int second = random.nextInt(DRAWS);
        boolean hasDefaults = random.nextBoolean();
        Map<String, String> values = new LinkedHashMap<>();
        if (!hasDefaults) {
            int draw = first;
            for (Option option : protocol.options()) {
                List<String> samples = option.samples();
                if (!samples.isEmpty()) {
                    values.put(option.key(), samples.get(draw % samples.size()));
                }
                draw = second;
            }
        }
        return of(protocol, values, given);
    }

    /**
     * Draws values for the options that were added later, from random numbers of their own; and, from others, for options that {@link #draw} has left
     * at their defaults. Returns this variant if the protocol with these values does not run under the code that was drawn.
     *
     * @param given the given options of all protocols, by key
     */
    ProtocolVariant drawLater(long seed, HybridCode code, Map<String, String> given) {
        SplittableRandom random =
                new SplittableRandom(seed * LATER_STREAM + protocol.name().hashCode());
        SplittableRandom again =
                new SplittableRandom(seed * AGAIN_STREAM + protocol.name().hashCode());
        Map<String, String> more = new LinkedHashMap<>(values);
        for (Option option : protocol.options()) {
            List<String> samples = option.laterSamples();
            if (!samples.isEmpty()) {
                SplittableRandom chance = option.samples().isEmpty() ? random : again;
                more.putIfAbsent(option.key(), samples.get(chance.nextInt(samples.size())));
            }
        }
        ProtocolVariant later = of(protocol, more, given);
        return later.protocol.refusal(code).isEmpty() ? later : this;
    }

    /** The protocol with the given options. */
    static ProtocolVariant of(Protocol protocol, Map<String, String> given) {
        return of(protocol, Map.of(), given);
    }

    private static ProtocolVariant of(Protocol protocol, Map<String, String> drawn, Map<String, String> given) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Option option : protocol.options()) {
            String value = given.getOrDefault(option.key(), drawn.get(option.key()));
            if (value != null) {
                values.put(option.key(), value);
            }
        }
        OptionTable table = new OptionTable("-O ", protocol.options());
        return values.isEmpty()
                ? new ProtocolVariant(protocol, values, "")
                : new ProtocolVariant(
                        protocol.with(table.parse(values)), values, String.join(" ", table.changed(values)));
    }
}
