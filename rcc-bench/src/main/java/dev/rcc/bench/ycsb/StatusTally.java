package dev.rcc.bench.ycsb;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.measurements.exporter.TextMeasurementsExporter;

/**
 * An exporter of YCSB's measurements that passes them on to another exporter, and writes the number of operations by outcome to a file: YCSB's
 * client itself ends with 0 whatever happens. YCSB creates it by name, so system properties name the file and the other exporter.
 */
public final class StatusTally implements MeasurementsExporter {
    /** The system property that names the file. */
    public static final String FILE = "rcc.ycsb.tally";
    /** The system property that names the other exporter's class; YCSB's default if the property is absent. */
    public static final String EXPORTER = "rcc.ycsb.exporter";

    private static final String RETURN = "Return=";
    private static final List<String> WELL = List.of("OK", "BATCHED_OK");

    private final MeasurementsExporter other;
    private final Map<String, Long> counts = new TreeMap<>();

    /** Creates the exporter; YCSB calls it. */
    public StatusTally(OutputStream out) throws ReflectiveOperationException {
        String name = System.getProperty(EXPORTER, TextMeasurementsExporter.class.getName());
        other = Class.forName(name)
                .asSubclass(MeasurementsExporter.class)
                .getConstructor(OutputStream.class)
                .newInstance(out);
    }

    @Override
    public void write(String metric, String measurement, int value) throws IOException {
        count(metric, measurement, value);
        other.write(metric, measurement, value);
    }

    @Override
    public void write(String metric, String measurement, long value) throws IOException {
        count(metric, measurement, value);
        other.write(metric, measurement, value);
    }

    @Override
    public void write(String metric, String measurement, double value) throws IOException {
        other.write(metric, measurement, value);
    }

    private void count(String metric, String measurement, long value) {
        if (measurement.startsWith(RETURN)) {
            counts.merge(metric + " " + measurement.substring(RETURN.length()), value, Long::sum);
        }
    }

    @Override
    public void close() throws IOException {
        other.close();
        List<String> lines = new ArrayList<>();
        counts.forEach((ended, count) -> lines.add(ended + " " + count));
        Files.write(Path.of(System.getProperty(FILE)), lines);
    }

    /**
     * The number of operations by outcome.
     *
     * @param well the number of operations that ended well
     * @param failed the other operations, each outcome as in {@code "3 READ ended with NOT_FOUND"}
     */
    public record Result(long well, List<String> failed) {
        /** Reads the file that an exporter wrote. */
        public static Result read(Path file) throws IOException {
            long well = 0;
            List<String> failed = new ArrayList<>();
            for (String line : Files.readAllLines(file)) {
                String[] words = line.split(" ", -1);
                long count = Long.parseLong(words[2]);
                if (WELL.contains(words[1])) {
                    well += count;
                } else {
                    failed.add(count + " " + words[0] + " ended with " + words[1]);
                }
            }
            return new Result(well, failed);
        }
    }
}
