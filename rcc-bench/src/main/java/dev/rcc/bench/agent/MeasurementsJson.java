package dev.rcc.bench.agent;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.node.Measurements;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Measurements on their way from an agent to its driver; histograms travel whole, so nothing is lost. */
final class MeasurementsJson {
    private MeasurementsJson() {}

    static void write(Measurements measured, ObjectNode json) {
        write(measured.metrics(), json);
        CrossingsJson.write(measured.metrics().crossings(), json.putObject("crossings"));
        ArrayNode kinds = json.putArray("kinds");
        for (int kind = 0; kind < measured.metrics().kinds(); kind++) {
            write(measured.metrics().ofKind(kind), kinds.addObject());
        }
        StageTimers timers = measured.timers();
        ArrayNode stages = json.putArray("stages");
        for (int i = 0; i < timers.stages().size(); i++) {
            stages.addObject().put("passages", timers.passages(i)).put("times", encode(timers.histogram(i)));
        }
    }

    private static void write(TransactionMetrics metrics, ObjectNode json) {
        json.put("committed", metrics.committed());
        json.put("attempted", metrics.attempted());
        json.put("gave_up", metrics.gaveUp());
        json.put("round_trips", metrics.roundTrips());
        json.put("committed_by_participants", metrics.committedByParticipants());
        ObjectNode aborts = json.putObject("aborts");
        for (AbortReason reason : Protocols.abortReasons().all()) {
            aborts.put(reason.name(), metrics.aborts(reason));
        }
        json.put("latency", encode(metrics.latency()));
    }

    static Measurements read(JsonNode json, Protocol protocol) {
        Measurements measured = Measurements.none(protocol);
        read(json, measured.metrics());
        CrossingsJson.read(json.required("crossings"), measured.metrics().crossings());
        JsonNode kinds = json.required("kinds");
        for (int kind = 0; kind < kinds.size(); kind++) {
            TransactionMetrics ofKind = new TransactionMetrics();
            read(kinds.get(kind), ofKind);
            measured.metrics().addOfKind(kind, ofKind);
        }
        JsonNode stages = json.required("stages");
        for (int i = 0; i < stages.size(); i++) {
            JsonNode stage = stages.get(i);
            measured.timers()
                    .add(
                            i,
                            stage.required("passages").asLong(),
                            decode(stage.required("times").asString()));
        }
        return measured;
    }

    private static void read(JsonNode json, TransactionMetrics metrics) {
        Map<AbortReason, Long> aborts = new HashMap<>();
        json.required("aborts")
                .properties()
                .forEach(each -> aborts.put(
                        Protocols.abortReasons().ofName(each.getKey()),
                        each.getValue().asLong()));
        metrics.add(
                json.required("committed").asLong(),
                json.required("attempted").asLong(),
                json.required("gave_up").asLong(),
                json.required("round_trips").asLong(),
                json.required("committed_by_participants").asLong(),
                aborts,
                decode(json.required("latency").asString()));
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("a histogram is damaged", e);
        }
    }
}
