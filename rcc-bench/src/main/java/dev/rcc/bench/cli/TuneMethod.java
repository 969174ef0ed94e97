package dev.rcc.bench.cli;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How {@code rcc tune} searches for the best code (rcc, 5.1). */
enum TuneMethod {
    /** Runs every admissible code. */
    EXHAUSTIVE,
    /** Chooses by the stage latencies of the two uniform codes. */
    CHERRY_PICK;

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<String> labels() {
        return Stream.of(values()).map(TuneMethod::label).toList();
    }

    static TuneMethod byLabel(String label) {
        return values()[labels().indexOf(label)];
    }
}
