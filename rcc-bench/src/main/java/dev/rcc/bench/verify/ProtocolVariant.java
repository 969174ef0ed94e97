package dev.rcc.bench.verify;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.calvin.CalvinOptions;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.WriteConflict;
import dev.rcc.protocols.waitdie.Waitdie;
import java.util.SplittableRandom;

/**
 * A protocol with options, half of the time the default ones.
 *
 * @param protocol the protocol
 * @param options what differs from the defaults, in words; empty if nothing does
 */
record ProtocolVariant(Protocol protocol, String options) {
    private static final long[] WAIT_NANOS = {5_000, 50_000, 500_000};
    private static final int[] VERSIONS = {1, 2, 4, 7};
    private static final int[] PENDING_WAITS = {0, 1, 20};
    private static final long[] EPOCH_NANOS = {0, 2_000, 100_000};
    private static final int[] EPOCH_TRANSACTIONS = {1, 3, 64};

    /** Draws a variant; of a protocol that users can't pick by name there is none but itself. */
    static ProtocolVariant draw(Protocol protocol, SplittableRandom random) {
        int first = random.nextInt(12);
        int second = random.nextInt(12);
        boolean isDefault = random.nextBoolean() || !Protocols.all().contains(protocol);
        return isDefault
                ? new ProtocolVariant(protocol, "")
                : switch (protocol.name()) {
                    case "waitdie" -> waitdie(WAIT_NANOS[first % WAIT_NANOS.length]);
                    case "mvcc" ->
                        mvcc(new MvccOptions(
                                VERSIONS[first % VERSIONS.length],
                                second % 2 == 0,
                                PENDING_WAITS[second % PENDING_WAITS.length]));
                    case "sundial" -> new ProtocolVariant(new Sundial(WriteConflict.NO_WAIT), "no-wait");
                    case "calvin" ->
                        calvin(new CalvinOptions(
                                EPOCH_NANOS[first % EPOCH_NANOS.length],
                                EPOCH_TRANSACTIONS[second % EPOCH_TRANSACTIONS.length],
                                CalvinOptions.DEFAULT.batchBytes()));
                    default -> new ProtocolVariant(protocol, "");
                };
    }

    private static ProtocolVariant waitdie(long waitNanos) {
        return new ProtocolVariant(new Waitdie(waitNanos), "waits of " + waitNanos / 1_000 + " us");
    }

    private static ProtocolVariant mvcc(MvccOptions options) {
        return new ProtocolVariant(
                new Mvcc(options),
                options.versions() + " versions, " + (options.adjustsClocks() ? "" : "no ") + "adjusted clocks, "
                        + options.pendingWaits() + " pending waits");
    }

    private static ProtocolVariant calvin(CalvinOptions options) {
        return new ProtocolVariant(
                new Calvin(options),
                "epochs of " + options.epochNanos() / 1_000 + " us, " + options.epochTransactions() + " transactions");
    }
}
