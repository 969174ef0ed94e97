package dev.rcc.bench.workload.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The violations that a check found: of each condition the first case in words, and the number of further cases. */
final class Findings {
    private final Map<String, String> first = new TreeMap<>();
    private final Map<String, Integer> more = new TreeMap<>();

    /** Records a violation unless {@code isWell}. */
    void expect(boolean isWell, String condition, Supplier<String> what) {
        if (isWell) {
            return;
        }
        if (first.containsKey(condition)) {
            more.merge(condition, 1, Integer::sum);
        } else {
            first.put(condition, what.get());
        }
    }

    /** A sentence for each condition that does not hold. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        first.forEach((condition, what) -> {
            int others = more.getOrDefault(condition, 0);
            sentences.add(condition + ": " + what + (others == 0 ? "" : " (and " + others + " more)"));
        });
        return sentences;
    }
}
