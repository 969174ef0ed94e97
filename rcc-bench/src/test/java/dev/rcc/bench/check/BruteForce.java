package dev.rcc.bench.check;

import dev.rcc.bench.history.History;
import dev.rcc.bench.history.Op;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether some order of the transactions explains a history: run one after the other, each transaction reads the
 * versions that the history has for it, and the versions of each key that other transactions can see grow. Tries all
 * orders; for a handful of transactions.
 */
final class BruteForce {
    private final History history;
    private final boolean isStrict;
    private final boolean[] done;

    private BruteForce(History history, boolean isStrict) {
        this.history = history;
        this.isStrict = isStrict;
        this.done = new boolean[history.size()];
    }

    static boolean explains(History history, Model model) {
        return new BruteForce(history, model == Model.STRICT_SERIALIZABLE).search(new HashMap<>(), 0);
    }

    /** A key's latest version and whether it exists. */
    private record State(long version, boolean exists) {
        static final State INITIAL = new State(0, false);
    }

    private boolean search(Map<String, State> states, int count) {
        if (count == history.size()) {
            return true;
        }
        for (int t = 0; t < history.size(); t++) {
            if (!done[t] && mayBeNext(t)) {
                Map<String, State> after = run(t, states);
                if (after != null) {
                    done[t] = true;
                    if (search(after, count + 1)) {
                        return true;
                    }
                    done[t] = false;
                }
            }
        }
        return false;
    }

    private boolean mayBeNext(int t) {
        for (int other = 0; isStrict && other < history.size(); other++) {
            if (!done[other] && history.endNanos(other) < history.startNanos(t)) {
                return false;
            }
        }
        return true;
    }

    /** The states after a transaction, or null if it could not have done what it did. */
    private Map<String, State> run(int t, Map<String, State> before) {
        Map<String, State> states = new HashMap<>(before);
        for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
            int kind = history.kind(op);
            if (kind == Op.SCAN) {
                if (!scanFits(t, op, states)) {
                    return null;
                }
                continue;
            }
            String key = history.keyName(history.key(op));
            if (Op.isWrite(kind)) {
                states.put(key, new State(history.version(op), kind != Op.DELETE));
            } else if (!readFits(kind, history.version(op), states.getOrDefault(key, State.INITIAL))) {
                return null;
            }
        }
        for (Map.Entry<String, State> state : states.entrySet()) {
            long old = before.getOrDefault(state.getKey(), State.INITIAL).version;
            boolean isWritten = writes(t, state.getKey());
            if (isWritten && state.getValue().version <= old) {
                return null;
            }
        }
        return states;
    }

    /** A record that was read existed, unless it is initial: then it is not known. */
    private static boolean readFits(int kind, long version, State state) {
        return state.version == version && (kind == Op.LEAF_READ || version == 0 || state.exists);
    }

    private boolean writes(int t, String key) {
        for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
            if (Op.isWrite(history.kind(op)) && history.keyName(history.key(op)).equals(key)) {
                return true;
            }
        }
        return false;
    }

    // Keys are one letter and a digit each, and ranges are of such keys.
    private boolean scanFits(int t, int op, Map<String, State> states) {
        Set<String> found = new HashSet<>();
        for (int next = op + 1; next < history.opsFrom(t + 1) && history.kind(next) == Op.SCANNED; next++) {
            found.add(history.keyName(history.key(next)));
        }
        History.Scan scan = history.scan(history.key(op));
        return states.entrySet().stream()
                .filter(state -> state.getKey().compareTo(scan.from()) >= 0
                        && state.getKey().compareTo(scan.to()) < 0)
                .allMatch(state -> state.getValue().exists == found.contains(state.getKey()));
    }
}
