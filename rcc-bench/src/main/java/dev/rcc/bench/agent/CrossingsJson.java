package dev.rcc.bench.agent;

import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.CrossingTally;
import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The counts between data centres, on their way from an agent to its driver. */
final class CrossingsJson {
    private static final String COMMITTED = "committed";
    private static final String TRANSACTIONS = "transactions";
    private static final String STAGES = "stages";
    private static final String ABORTED = "aborted";
    private static final String SHARED = "shared";
    private static final String SUM = "sum";
    private static final String MAX = "max";

    private CrossingsJson() {}

    static void write(CrossingMetrics crossings, ObjectNode json) {
        json.put(COMMITTED, crossings.committed());
        write(crossings.transactions(), json.putObject(TRANSACTIONS));
        ArrayNode stages = json.putArray(STAGES);
        for (int i = 0; i < crossings.stages(); i++) {
            write(crossings.stage(i), stages.addObject());
        }
        write(crossings.aborted(), json.putObject(ABORTED));
        write(crossings.shared(), json.putObject(SHARED));
    }

    private static void write(CrossingTally tally, ObjectNode json) {
        for (Measure measure : Measure.values()) {
            json.putObject(measure.name()).put(SUM, tally.sum(measure)).put(MAX, tally.max(measure));
        }
    }

    private static void write(Crossings counted, ObjectNode json) {
        for (Measure measure : Measure.values()) {
            json.put(measure.name(), counted.count(measure));
        }
    }

    static void read(JsonNode json, CrossingMetrics crossings) {
        crossings.addCommitted(json.required(COMMITTED).asLong());
        read(json.required(TRANSACTIONS), crossings.transactions());
        JsonNode stages = json.required(STAGES);
        for (int i = 0; i < stages.size(); i++) {
            read(stages.get(i), crossings.stage(i));
        }
        read(json.required(ABORTED), crossings.aborted());
        read(json.required(SHARED), crossings.shared());
    }

    private static void read(JsonNode json, CrossingTally tally) {
        for (Measure measure : Measure.values()) {
            JsonNode each = json.required(measure.name());
            tally.add(measure, each.required(SUM).asLong(), each.required(MAX).asLong());
        }
    }

    private static void read(JsonNode json, Crossings counted) {
        for (Measure measure : Measure.values()) {
            counted.add(measure, json.required(measure.name()).asLong());
        }
    }
}
