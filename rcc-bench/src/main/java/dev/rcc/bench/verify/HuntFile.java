package dev.rcc.bench.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
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
 * The progress of a hunt in a file, from which the next hunt goes on: a line of JSON with the hunt's build and choice, then a line for
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
     * The hunt that writes a file. The results of another build or of another choice are results of other trials.
     *
     * @param version the build's version
     * @param commit the build's commit; builds of one commit with changes that are not committed count as one
     * @param choice the options that narrow the hunt, as they were given: with another choice, a seed means another scenario
     */
    public record Origin(String version, String commit, String choice) {
        private String build() {
            return version + " (" + commit + ")";
        }

        private String words() {
            return choice.isEmpty() ? "without a choice" : "with" + choice;
        }

        private ObjectNode toJson() {
            return JSON.createObjectNode()
                    .put("format", FORMAT)
                    .put("version", version)
                    .put("commit", commit)
                    .put("choice", choice);
        }

        private static Origin of(JsonNode json) {
            return new Origin(
                    json.path("version").asString("unknown"),
                    json.path("commit").asString("unknown"),
                    json.path("choice").asString(""));
        }
    }

    /**
     * Opens a file; creates it if it does not exist. A file that is refused is left as it is.
     *
     * @param origin the hunt that goes on
     * @throws IllegalArgumentException when another build or a hunt with another choice wrote the file, or no hunt
     * @throws IOException when it can't be read or written
     */
    public static HuntFile open(Path path, Origin origin) throws IOException {
        HuntFile file = new HuntFile(path);
        String text = Files.exists(path) ? text(path) : "";
        if (text.isEmpty()) {
            Files.writeString(path, origin.toJson() + "\n");
            return file;
        }
        int end = text.lastIndexOf('\n') + 1;
        List<String> lines = text.substring(0, end).lines().toList();
        try {
            file.checkHead(lines.isEmpty() ? text : lines.getFirst(), origin);
            lines.stream().skip(1).map(JSON::readTree).forEach(file::add);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(path + " was not written by a hunt: " + e.getOriginalMessage(), e);
        }
        if (end < text.length()) {
            Files.writeString(path, text.substring(0, end));
        }
        return file;
    }

    private static String text(Path path) throws IOException {
        try {
            return Files.readString(path);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(path + " was not written by a hunt: it is not a text", e);
        }
    }

    private void checkHead(String line, Origin origin) {
        JsonNode head = JSON.readTree(line);
        if (!head.path("format").asString("").equals(FORMAT)) {
            throw new IllegalArgumentException(path + " was not written by a hunt");
        }
        Origin other = Origin.of(head);
        if (!other.build().equals(origin.build())) {
            throw new IllegalArgumentException(path + " was written by the build " + other.build() + ", this build is "
                    + origin.build() + ": its trials may end otherwise");
        }
        if (!other.choice().equals(origin.choice())) {
            throw new IllegalArgumentException(path + " was written by a hunt " + other.words() + ", this hunt is "
                    + origin.words() + ": the seeds mean other scenarios");
        }
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
