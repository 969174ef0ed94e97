package dev.rcc.bench.agent;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.option.Option;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A driver's request to the agents, in the words of the command line.
 *
 * @param options the options by their names on the command line
 * @param properties the workload's options, each {@code key=value}
 * @param protocolOptions the protocols' options, each {@code protocol.key=value}
 * @param faults the settings of a run with faults; empty without faults
 * @param birthWallNanos the birth of this run's cluster, in nanoseconds since the Unix epoch
 */
public record BenchRequest(
        Map<String, String> options,
        List<String> properties,
        List<String> protocolOptions,
        Optional<Faults> faults,
        long birthWallNanos) {
    /**
     * The settings of a run in which nodes are to die.
     *
     * @param recoverySeconds how long transactions wait for a dead node to be replaced
     * @param thinkMillis how long a client waits between transactions on average
     * @param directory where each incarnation of a node records the writes that it acknowledged, so that the records outlive it
     */
    public record Faults(double recoverySeconds, int thinkMillis, String directory) {}

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** The request for a benchmark. */
    static BenchRequest of(BenchConfig config, Optional<Faults> faults, long birthWallNanos) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--protocol", config.protocol().name());
        options.put("--code", config.code().digits());
        options.put("--workload", config.workload().name());
        options.put("--nodes", Integer.toString(config.nodes()));
        if (config.zones().areNamed()) {
            options.put("--datacenters", config.zones().toString());
        }
        options.put("--workers", Integer.toString(config.workers()));
        options.put("--coroutines", Integer.toString(config.coroutines()));
        options.put("--replicas", Integer.toString(config.replicas()));
        options.put("--seed", Long.toString(config.seed()));
        options.put("--seconds", Double.toString(config.times().seconds()));
        if (config.history().isChecked()) {
            options.put("--check", "on");
        }
        config.load().ifPresent(load -> {
            options.put("--through", load.mode().label());
            options.put("--clients", Integer.toString(load.clients()));
            options.put("--connections", Integer.toString(load.options().connections()));
        });
        List<String> properties = new ArrayList<>();
        // Defaults may depend on other options, so only values that differ from them are given.
        for (Option option :
                Workloads.byName(config.workload().name()).options().options()) {
            String value = config.workload().options().get(option.key());
            if (!value.equals(option.defaultValue())) {
                properties.add(option.key() + "=" + value);
            }
        }
        List<String> protocolOptions = new ArrayList<>();
        config.protocolOptions()
                .forEach((key, value) -> protocolOptions.add(config.protocol().name() + "." + key + "=" + value));
        return new BenchRequest(options, properties, protocolOptions, faults, birthWallNanos);
    }

    String toJson() {
        ObjectNode json = MAPPER.createObjectNode();
        ObjectNode given = json.putObject("options");
        options.forEach(given::put);
        properties.forEach(json.putArray("properties")::add);
        protocolOptions.forEach(json.putArray("protocol_options")::add);
        faults.ifPresent(each -> json.putObject("faults")
                .put("recovery_seconds", each.recoverySeconds())
                .put("think_millis", each.thinkMillis())
                .put("directory", each.directory()));
        json.put("birth_wall_nanos", birthWallNanos);
        return MAPPER.writeValueAsString(json);
    }

    static BenchRequest parse(String text) {
        JsonNode json = MAPPER.readTree(text);
        Map<String, String> options = new LinkedHashMap<>();
        json.required("options")
                .properties()
                .forEach(each -> options.put(each.getKey(), each.getValue().asString()));
        return new BenchRequest(
                options,
                texts(json.required("properties")),
                texts(json.required("protocol_options")),
                Optional.ofNullable(json.get("faults"))
                        .map(each -> new Faults(
                                each.required("recovery_seconds").asDouble(),
                                each.required("think_millis").asInt(),
                                each.required("directory").asString())),
                json.required("birth_wall_nanos").asLong());
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asString()));
        return texts;
    }
}
