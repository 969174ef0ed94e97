package dev.rcc.bench.verify;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.protocol.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A protocol with options.
 *
 * @param protocol the protocol
 * @param options what differs from the defaults, as it is given with {@code -O}; empty if nothing does
 */
record ProtocolVariant(Protocol protocol, String options) {
    private static final int DRAWS = 12;

    /**
     * Draws a variant: half of the time the options that are not given have their defaults, else some of their samples.
     *
     * @param given options of all protocols, by key
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

    /** The protocol with the options that are given. */
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
                ? new ProtocolVariant(protocol, "")
                : new ProtocolVariant(protocol.with(table.parse(values)), String.join(" ", table.changed(values)));
    }
}
