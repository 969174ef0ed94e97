package dev.rcc.bench.cli;

import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.calvin.CalvinOptions;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.WriteConflict;
import dev.rcc.protocols.waitdie.Waitdie;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What can be chosen about protocols, given with {@code -O}; each key begins with its protocol's name. */
final class ProtocolOptions {
    private static final String YES = "yes";
    private static final String NO_WAIT = "no-wait";

    private static final Option WAIT = Option.decimal(
            "waitdie.wait-ms", 100, 0.001, 60_000, "milliseconds", "how long an attempt waits for locks at most");
    private static final Option VERSIONS = Option.integer(
            "mvcc.versions", 4, 1, MvccOptions.MAX_VERSIONS, "versions", "versions of a record that are kept");
    private static final Option CLOCKS = Option.choice(
            "mvcc.adjust-clocks",
            YES,
            List.of(YES, "no"),
            "whether clocks are moved past later timestamps that they meet");
    private static final Option PENDING = Option.integer(
            "mvcc.pending-waits",
            20,
            0,
            MvccOptions.MAX_PENDING_WAITS,
            "waits",
            "how often a reader waits for an earlier writer before it aborts");
    private static final Option CONFLICTS = Option.choice(
            "sundial.write-conflicts",
            "wait-die",
            List.of("wait-die", NO_WAIT),
            "what happens when two transactions want to write the same");
    private static final Option EPOCH = Option.decimal(
            "calvin.epoch-us",
            10,
            0,
            1_000_000,
            "microseconds",
            "how long a transaction waits for company in its epoch");
    private static final Option EPOCH_TRANSACTIONS = Option.integer(
            "calvin.epoch-transactions", 64, 1, 1_000_000, "transactions", "most transactions of a worker in an epoch");

    static final OptionTable TABLE =
            new OptionTable("-O ", List.of(WAIT, VERSIONS, CLOCKS, PENDING, CONFLICTS, EPOCH, EPOCH_TRANSACTIONS));

    private ProtocolOptions() {}

    /** Makes a protocol. */
    static Protocol create(String name, OptionValues values) {
        return switch (name) {
            case "waitdie" -> new Waitdie((long) (values.decimal(WAIT) * TimeUnit.MILLISECONDS.toNanos(1)));
            case "mvcc" ->
                new Mvcc(new MvccOptions(
                        values.intValue(VERSIONS), values.text(CLOCKS).equals(YES), values.intValue(PENDING)));
            case "sundial" ->
                new Sundial(values.text(CONFLICTS).equals(NO_WAIT) ? WriteConflict.NO_WAIT : WriteConflict.WAIT_DIE);
            case "calvin" ->
                new Calvin(new CalvinOptions(
                        (long) (values.decimal(EPOCH) * TimeUnit.MICROSECONDS.toNanos(1)),
                        values.intValue(EPOCH_TRANSACTIONS),
                        CalvinOptions.DEFAULT.batchBytes()));
            default -> Protocols.byName(name);
        };
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
