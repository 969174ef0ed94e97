package dev.rcc.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Options in a file: keys with values. A list stands for a text with commas, nested keys for a key with dots. */
final class YamlFile {
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private YamlFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException when the file cannot be read or is not such a file
     */
    static Map<String, String> read(Path file) {
        try {
            JsonNode root = MAPPER.readTree(Files.readString(file));
            Map<String, String> values = new LinkedHashMap<>();
            if (root.isObject()) {
                flatten("", root, values);
            } else if (!root.isMissingNode() && !root.isNull()) {
                throw new IllegalArgumentException(file + ": got no keys, allowed: key: value");
            }
            return values;
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read (" + e + ")", e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    file + ": got no YAML, allowed: YAML ("
                            + e.getOriginalMessage().lines().findFirst().orElse("") + ", line "
                            + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ")",
                    e);
        }
    }

    private static void flatten(String prefix, JsonNode node, Map<String, String> values) {
        node.properties().forEach(each -> {
            String key = prefix + each.getKey();
            JsonNode value = each.getValue();
            if (value.isObject()) {
                flatten(key + ".", value, values);
            } else if (value.isArray()) {
                put(
                        key,
                        StreamSupport.stream(value.spliterator(), false)
                                .map(JsonNode::asString)
                                .collect(Collectors.joining(",")),
                        values);
            } else if (!value.isNull() && !value.asString().isEmpty()) { // an empty value counts as absent
                put(key, value.asString(), values);
            }
        });
    }

    private static void put(String key, String value, Map<String, String> values) {
        if (values.put(key, value) != null) {
            throw new IllegalArgumentException(key + ": given more than once, allowed: with dots or nested, not both");
        }
    }

    /** The text of a file with these options. */
    static String write(Map<String, String> values) {
        return MAPPER.writeValueAsString(values).replaceFirst("^---\\R", "");
    }
}
