package dev.rcc.bench.history;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Makes correct histories: transactions that take effect one after the other, each at a moment between its beginning and its
 * end. For the checker's tests and its benchmark.
 */
public final class SerialHistory {
    private static final int KEYS_OF_A_LEAF = 8;
    private static final int KEYS_OF_A_SCAN = 5;
    private static final int STEP_NANOS = 100;

    private final HistoryBuilder builder = new HistoryBuilder();
    private final SplittableRandom random;
    private final String prefix;
    private final int processes;
    private final long[] versions;
    private final boolean[] exists;
    private final long[] leafVersions;
    private final boolean[] touched;
    private int transactions;

    /**
     * Prepares a history.
     *
     * @param prefix the prefix of all keys, followed by their numbers
     * @param keys number of keys; at first none of them exists
     * @param processes number of clients; that many transactions run at a time
     */
    public SerialHistory(long seed, String prefix, int keys, int processes) {
        this.random = new SplittableRandom(seed);
        this.prefix = prefix;
        this.processes = processes;
        this.versions = new long[keys];
        this.exists = new boolean[keys];
        this.leafVersions = new long[Math.ceilDiv(keys, KEYS_OF_A_LEAF)];
        this.touched = new boolean[keys];
    }

    /** Adds transactions of 1 to {@code maxKeys} random keys each; one in {@code scanEvery} also scans, 0 for none. */
    public SerialHistory add(int count, int maxKeys, int scanEvery) {
        for (int i = 0; i < count; i++) {
            begin();
            if (scanEvery > 0 && random.nextInt(scanEvery) == 0) {
                scan();
            }
            long version = transactions;
            int[] chosen = new int[1 + random.nextInt(maxKeys)];
            for (int k = 0; k < chosen.length; k++) {
                chosen[k] = random.nextInt(versions.length);
                if (!touched[chosen[k]]) {
                    touched[chosen[k]] = true;
                    access(chosen[k], version);
                }
            }
            Arrays.stream(chosen).forEach(key -> touched[key] = false);
        }
        return this;
    }

    /** Adds the transactions of {@code history}: at its times, counted from now, or all at once if it has no times. */
    public SerialHistory add(History history) {
        long moment = (long) transactions * STEP_NANOS;
        for (int t = 0; t < history.size(); t++) {
            transactions++;
            boolean hasTime = history.startNanos(t) != History.NO_TIME;
            builder.begin(
                    history.name(t),
                    "p" + transactions,
                    hasTime ? moment + history.startNanos(t) : moment - STEP_NANOS * (long) history.size(),
                    hasTime ? moment + history.endNanos(t) : moment + STEP_NANOS * (long) history.size(),
                    history.status(t));
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                add(history, op);
            }
        }
        return this;
    }

    private void add(History history, int op) {
        int kind = history.kind(op);
        if (kind == Op.SCAN) {
            History.Scan scan = history.scan(history.key(op));
            builder.scan(scan.from(), scan.to());
            return;
        }
        String key = history.keyName(history.key(op));
        if (!history.isList(history.key(op))) {
            builder.add(kind, builder.keys.intern(key), history.version(op));
        } else if (kind == Op.READ) {
            builder.readList(key, history.listRead(op));
        } else {
            builder.append(key, history.version(op));
        }
    }

    /** The history. */
    public History build() {
        return builder.build();
    }

    private void begin() {
        transactions++;
        long moment = (long) transactions * STEP_NANOS;
        int most = STEP_NANOS * processes / 2; // a client's next transaction begins after this one has ended
        builder.begin(
                "s" + transactions,
                "p" + transactions % processes,
                moment - random.nextInt(most),
                moment + random.nextInt(most),
                Status.COMMITTED);
    }

    private void access(int key, long version) {
        String name = prefix + key;
        String leaf = "leaf:" + prefix + key / KEYS_OF_A_LEAF;
        int what = random.nextInt(8);
        if (exists[key]) {
            builder.read(name, versions[key]);
            if (what == 0) {
                builder.leafRead(leaf, leafVersions[key / KEYS_OF_A_LEAF])
                        .delete(name, version)
                        .leafWrite(leaf, version);
                change(key, version, false);
            } else if (what < 4) {
                builder.write(name, version);
                versions[key] = version;
            }
        } else {
            builder.leafRead(leaf, leafVersions[key / KEYS_OF_A_LEAF]);
            if (what < 6) {
                builder.insert(name, version).leafWrite(leaf, version);
                change(key, version, true);
            }
        }
    }

    private void change(int key, long version, boolean nowExists) {
        versions[key] = version;
        exists[key] = nowExists;
        leafVersions[key / KEYS_OF_A_LEAF] = version;
    }

    private void scan() {
        int from = random.nextInt(versions.length);
        int to = Math.min(versions.length, from + 1 + random.nextInt(KEYS_OF_A_SCAN));
        builder.scan(prefix + from, prefix + to);
        for (int key = from; key < to; key++) {
            if (exists[key]) {
                builder.found(prefix + key, versions[key]);
            }
        }
    }
}
