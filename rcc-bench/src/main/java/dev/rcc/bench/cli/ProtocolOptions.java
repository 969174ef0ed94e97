package dev.rcc.bench.cli;

import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of protocols, given with {@code -O}; each key begins with its protocol's name. */
final class ProtocolOptions {
    static final OptionTable TABLE = Protocols.options();

    private ProtocolOptions() {}

    /** Makes a protocol. */
    static Protocol create(String name, OptionValues values) {
        return Protocols.byName(name).with(values);
    }

    /**
     * The values given with {@code -O}, by key.
     *
     * @throws IllegalArgumentException if a key is no option, or belongs to a protocol that is not in {@code protocols}
     */
    static Map<String, String> parse(List<String> given, List<String> protocols) {
        BenchPlan.checkBelong(given, protocols);
        Map<String, String> parsed = BenchOptions.parse(BenchOptions.PROTOCOL_OPTION, TABLE, given);
        OptionValues _ = TABLE.parse(parsed);
        return parsed;
    }

    /** The server's settings that are options of one protocol, by key. */
    static Map<String, String> of(String name, Map<String, String> settings) {
        Map<String, String> options = new LinkedHashMap<>(settings);
        options.keySet().removeIf(key -> !protocolOf(key).equals(name));
        return options;
    }

    /** The options of one protocol, without its name in front. */
    static Map<String, String> of(String name, OptionValues values) {
        Map<String, String> options = new LinkedHashMap<>();
        values.asMap().forEach((key, value) -> {
            if (protocolOf(key).equals(name)) {
                options.put(key.substring(name.length() + 1), value);
            }
        });
        return options;
    }

    /** The protocol that a key belongs to. */
    static String protocolOf(String key) {
        return key.substring(0, Math.max(0, key.indexOf('.')));
    }
}
