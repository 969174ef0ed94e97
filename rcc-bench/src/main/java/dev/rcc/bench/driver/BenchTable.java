package dev.rcc.bench.driver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The rows of one table: the benchmarks, their runs, and the ranks that the throughputs leave open. A row whose interval overlaps with
 * another row's is not ranked against it.
 *
 * @param rows the rows in the order of the table, at least one
 */
public record BenchTable(List<Row> rows) {
    /** Takes a copy of the list. */
    public BenchTable {
        rows = List.copyOf(rows);
    }

    /**
     * The runs under the same options, except the seed.
     *
     * @param group rows are compared with the rows of the same group, such as a sweep's value
     * @param results the results of all runs, in their order, at least one
     * @param estimate the estimate of their throughput
     * @param bestRank one more than the number of the group's rows that are surely better
     * @param worstRank the number of the group's rows that are not surely worse
     */
    public record Row(String group, List<BenchResult> results, Estimate estimate, int bestRank, int worstRank) {
        /** Takes a copy of the list. */
        public Row {
            results = List.copyOf(results);
        }

        /** The median run by throughput; of an even number the slower one. */
        public BenchResult median() {
            return results.stream()
                    .sorted(Comparator.comparingDouble(BenchResult::committedPerSecond))
                    .toList()
                    .get((results.size() - 1) / 2);
        }

        /** Whether the row's rank is certain. */
        public boolean isRanked() {
            return bestRank == worstRank;
        }

        /** Whether the data was consistent after each run. */
        public boolean isOk() {
            return results.stream().allMatch(BenchResult::isOk);
        }
    }

    /**
     * Compares the rows.
     *
     * @param groups the group of each row
     * @param results the results of each row, by round
     */
    public static BenchTable of(List<String> groups, List<List<BenchResult>> results) {
        List<Estimate> estimates = results.stream()
                .map(runs -> Estimate.of(runs.stream()
                        .mapToDouble(BenchResult::committedPerSecond)
                        .toArray()))
                .toList();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            int best = 1;
            int worst = 0;
            for (int j = 0; j < results.size(); j++) {
                if (groups.get(i).equals(groups.get(j))) {
                    best += estimates.get(j).isAbove(estimates.get(i)) ? 1 : 0;
                    worst += estimates.get(i).isAbove(estimates.get(j)) ? 0 : 1;
                }
            }
            rows.add(new Row(groups.get(i), results.get(i), estimates.get(i), best, worst));
        }
        return new BenchTable(rows);
    }

    /** A table of one row with one run. */
    public static BenchTable of(BenchResult result) {
        return of(List.of(""), List.of(List.of(result)));
    }

    /** All results, row by row. */
    public List<BenchResult> results() {
        return rows.stream().flatMap(row -> row.results().stream()).toList();
    }
}
