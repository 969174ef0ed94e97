package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.protocols.Protocols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The runs that the options of {@code rcc bench} ask for: each protocol with each value of the sweep under each code, in
 * this order.
 *
 * @param sweep the option that varies in addition to protocol and code; {@link Sweep#NONE} if nothing does
 * @param runs the runs of one round, at least one
 * @param rounds how often the runs are repeated
 */
record BenchPlan(Sweep sweep, List<Run> runs, int rounds) {
    /** The word for the hybrid code that the stage latencies of the uniform ones recommend. */
    static final String HYBRID = "hybrid";

    private static final String ALL = "all";

    /**
     * One run.
     *
     * @param config the benchmark, under the code that was given, or RPC if a hybrid is to be chosen
     * @param isHybrid whether a hybrid code is to be chosen
     * @param sweepValue the sweep's value, empty without a sweep
     */
    record Run(BenchConfig config, boolean isHybrid, String sweepValue) {}

    /**
     * Reads a plan.
     *
     * @param table the command's options
     * @param given the options that were given
     * @param properties the values given with {@code -P}
     * @param protocolOptions the values given with {@code -O}
     * @throws IllegalArgumentException for runs that cannot run; names the option, the value given and the values allowed
     */
    static BenchPlan of(
            OptionTable table, Map<String, String> given, List<String> properties, List<String> protocolOptions) {
        checkBelong(protocolOptions, protocols(given));
        String code = given.getOrDefault(BenchOptions.CODE.key(), BenchOptions.CODE.defaultValue());
        Sweep sweep = Sweep.of(table, given, properties);
        List<Run> runs = new ArrayList<>();
        for (String protocol : protocols(given)) {
            for (String value : sweep.values()) {
                for (String oneCode : codes(code)) {
                    Map<String, String> options = new LinkedHashMap<>(given);
                    List<String> allProperties = new ArrayList<>(properties);
                    boolean isHybrid = oneCode.equals(HYBRID);
                    options.put(BenchOptions.PROTOCOL.key(), protocol);
                    if (given.containsKey(BenchOptions.CODE.key())) {
                        options.put(BenchOptions.CODE.key(), isHybrid ? "rpc" : oneCode);
                    }
                    sweep.apply(value, options, allProperties);
                    runs.add(new Run(
                            BenchOptions.config(table.parse(options), allProperties, protocolOptions),
                            isHybrid,
                            value));
                }
            }
        }
        int rounds = rounds(table, given);
        runs.forEach(run -> SeedRange.of(BenchOptions.SEED, run.config().seed(), BenchOptions.REPEAT, rounds));
        return new BenchPlan(sweep, List.copyOf(runs), rounds);
    }

    private static int rounds(OptionTable table, Map<String, String> given) {
        Option option = BenchOptions.REPEAT;
        return given.containsKey(option.key())
                ? table.parse(Map.of(option.key(), given.get(option.key()))).intValue(option)
                : Integer.parseInt(option.defaultValue());
    }

    /** Whether there is only one run, whose code is known. */
    boolean isSingle() {
        return runs.size() == 1 && rounds == 1 && !runs.getFirst().isHybrid();
    }

    /** The names of the protocols that were given. */
    static List<String> protocols(Map<String, String> given) {
        Option option = BenchOptions.PROTOCOL;
        return protocols(option, given.getOrDefault(option.key(), option.defaultValue()));
    }

    /** The names of the protocols in an option's text. */
    static List<String> protocols(Option option, String text) {
        if (text.equals(ALL)) {
            return Protocols.names();
        }
        List<String> names = List.of(text.split(",", -1));
        if (!Protocols.names().containsAll(names) || names.stream().distinct().count() < names.size()) {
            throw new IllegalArgumentException(option + ": got '" + text + "', allowed: " + option.allowed());
        }
        return names;
    }

    /** Refuses an option of a protocol that does not run. */
    static void checkBelong(List<String> protocolOptions, List<String> protocols) {
        for (String option : protocolOptions) {
            String protocol = ProtocolOptions.protocolOf(option);
            if (Protocols.names().contains(protocol) && !protocols.contains(protocol)) {
                throw new IllegalArgumentException(BenchOptions.PROTOCOL_OPTION + ": got '" + option
                        + "', allowed: options of " + String.join(", ", protocols));
            }
        }
    }

    /** A code that names its stages has commas of its own. */
    private static List<String> codes(String text) {
        return text.contains("=") ? List.of(text) : List.of(text.split(",", -1));
    }
}
