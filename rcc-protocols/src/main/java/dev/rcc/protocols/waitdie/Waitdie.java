package dev.rcc.protocols.waitdie;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.protocols.locking.LockingOptions;
import dev.rcc.protocols.locking.LockingParticipant;
import dev.rcc.protocols.locking.LockingProtocol;
import java.util.List;
import java.util.stream.Stream;

/** WAITDIE: two-phase locking in which the older transaction waits and the younger dies (rcc, 4.3). */
public final class Waitdie extends LockingProtocol {
    /** The longest wait of an attempt in a lock stage: far longer than any transaction, so it detects a holder that is gone. */
    public static final long WAIT_NANOS_MAX = 100_000_000;

    private static final String NAME = "waitdie";
    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final Option WAIT = Option.decimal(
                    "waitdie.wait-ms",
                    (double) WAIT_NANOS_MAX / NANOS_PER_MILLI,
                    0.001,
                    60_000,
                    "milliseconds",
                    "longest time that an attempt waits for locks")
            .withSamples("0.005", "0.05", "0.5");

    private final WaitdieRules rules;

    /** Creates the protocol, whose waits end after {@link #WAIT_NANOS_MAX}. */
    public Waitdie() {
        this(WAIT_NANOS_MAX);
    }

    /** Creates the protocol; an attempt that has waited for {@code waitNanosMax} nanoseconds in a lock stage aborts. */
    public Waitdie(long waitNanosMax) {
        this(waitNanosMax, LockingOptions.DEFAULT);
    }

    /** Creates the protocol; an attempt that has waited for {@code waitNanosMax} nanoseconds in a lock stage aborts. */
    public Waitdie(long waitNanosMax, LockingOptions options) {
        this(new WaitdieRules(options.reads(), waitNanosMax), options);
    }

    private Waitdie(WaitdieRules rules, LockingOptions options) {
        super(rules, options);
        this.rules = rules;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Option> options() {
        return Stream.concat(Stream.of(WAIT), LockingOptions.options(NAME).stream())
                .toList();
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Waitdie((long) (values.decimal(WAIT) * NANOS_PER_MILLI), LockingOptions.of(NAME, values));
    }

    @Override
    protected LockingParticipant participant(WorkerContext context) {
        return new WaitdieParticipant(context, rules);
    }
}
