package dev.rcc.bench.check;

import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryBuilder;
import dev.rcc.bench.history.Op;
import dev.rcc.bench.history.Status;
import java.util.SplittableRandom;

/** Small changes to histories. */
final class Mutations {
    private Mutations() {}

    /** A copy in which one operation has another version, one near its own. */
    static History oneVersion(History history, SplittableRandom random) {
        int changed;
        do {
            changed = random.nextInt(history.ops());
        } while (history.kind(changed) == Op.SCAN);
        HistoryBuilder builder = new HistoryBuilder();
        for (int t = 0; t < history.size(); t++) {
            builder.begin(
                    history.name(t), history.process(t), history.startNanos(t), history.endNanos(t), history.status(t));
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                long version = history.version(op);
                if (op == changed) {
                    long least = Op.isWrite(history.kind(op)) ? 1 : 0;
                    version = Math.max(least, version + random.nextInt(-3, 4));
                }
                copy(history, op, builder, version);
            }
        }
        return builder.build();
    }

    /** A copy in which a few transactions have an unknown outcome. */
    static History someOutcomesUnknown(History history, SplittableRandom random) {
        HistoryBuilder builder = new HistoryBuilder();
        for (int t = 0; t < history.size(); t++) {
            Status status = random.nextInt(8) == 0 ? Status.UNKNOWN : history.status(t);
            builder.begin(history.name(t), history.process(t), history.startNanos(t), history.endNanos(t), status);
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                copy(history, op, builder, history.version(op));
            }
        }
        return builder.build();
    }

    static void copy(History history, int op, HistoryBuilder builder, long version) {
        String key = history.kind(op) == Op.SCAN ? "" : history.keyName(history.key(op));
        switch (history.kind(op)) {
            case Op.READ -> builder.read(key, version);
            case Op.WRITE -> builder.write(key, version);
            case Op.INSERT -> builder.insert(key, version);
            case Op.DELETE -> builder.delete(key, version);
            case Op.LEAF_READ -> builder.leafRead(key, version);
            case Op.LEAF_WRITE -> builder.leafWrite(key, version);
            case Op.SCANNED -> builder.found(key, version);
            default -> {
                History.Scan scan = history.scan(history.key(op));
                builder.scan(scan.from(), scan.to());
            }
        }
    }
}
