package dev.rcc.bench.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The progress of a hunt in a file, from which the next hunt goes on: a line of JSON with the hunt's choice, then a line for
 * each trial, written as soon as the trial has ended. A line that was cut off by the end of the process does not count.
 */
public final class HuntFile {
    private static final String FORMAT = "rcc-hunt";
    private static final JsonMapper JSON = new JsonMapper();

    private final Path path;
    private final Map<Key, TrialSummary> done = new LinkedHashMap<>();

    private record Key(String protocol, long seed) {}

    private HuntFile(Path path) {
        this.path = path;
    }

    /**
     * Opens a file; creates it if it does not exist.
     *
     * @param choice the options that narrow the hunt: with another choice, a seed means another scenario
     * @throws IllegalArgumentException when the file has another choice, or was not written by a hunt
     * @throws IOException when it can't be read or written
     */
    public static HuntFile open(Path path, String choice) throws IOException {
        HuntFile file = new HuntFile(path);
        List<String> lines = Files.exists(path) ? file.wholeLines() : List.of();
        if (lines.isEmpty()) {
            ObjectNode head = JSON.createObjectNode().put("format", FORMAT).put("choice", choice);
            Files.writeString(path, head + "\n");
            return file;
        }
        try {
            JsonNode head = JSON.readTree(lines.getFirst());
            if (!head.path("format").asString("").equals(FORMAT)) {
                throw new IllegalArgumentException(path + " was not written by a hunt");
            }
            String other = head.path("choice").asString("");
            if (!other.equals(choice)) {
                throw new IllegalArgumentException(path + " was written by a hunt " + words(other) + ", this hunt is "
                        + words(choice) + ": the seeds mean other scenarios");
            }
            lines.stream().skip(1).map(JSON::readTree).forEach(file::add);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(path + " was not written by a hunt: " + e.getOriginalMessage(), e);
        }
        return file;
    }

    private static String words(String choice) {
        return choice.isEmpty() ? "without a choice" : "with" + choice;
    }

    /** The file's lines; cuts off a last line without a line feed. */
    private List<String> wholeLines() throws IOException {
        String text = Files.readString(path);
        int end = text.lastIndexOf('\n') + 1;
        if (end < text.length()) {
            Files.writeString(path, text.substring(0, end));
        }
        return text.substring(0, end).lines().toList();
    }

    private void add(JsonNode line) {
        Map<String, Long> counts = new LinkedHashMap<>();
        line.required("counts")
                .properties()
                .forEach(each -> counts.put(each.getKey(), each.getValue().asLong()));
        TrialSummary trial = new TrialSummary(
                line.required("protocol").asString(),
                line.required("seed").asLong(),
                line.required("transactions").asLong(),
                counts,
                line.required("anomaly").asString());
        done.put(new Key(trial.protocol(), trial.seed()), trial);
    }

    /** The result of a trial that was run before this file was opened; null if it was not run. */
    public TrialSummary find(String protocol, long seed) {
        return done.get(new Key(protocol, seed));
    }

    /**
     * Adds a trial. May be called by any thread.
     *
     * @throws UncheckedIOException when the file can't be written
     */
    public synchronized void append(TrialSummary trial) {
        ObjectNode line = JSON.createObjectNode()
                .put("protocol", trial.protocol())
                .put("seed", trial.seed())
                .put("transactions", trial.transactions());
        ObjectNode counts = line.putObject("counts");
        trial.counts().forEach(counts::put);
        line.put("anomaly", trial.anomaly());
        try {
            Files.write(path, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(path + " can't be written", e);
        }
    }
}
