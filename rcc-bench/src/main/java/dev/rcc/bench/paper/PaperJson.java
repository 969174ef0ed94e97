package dev.rcc.bench.paper;

import dev.rcc.bench.driver.Manifest;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of a paper's claims, as one JSON object: the claims with their verdicts and what these go by, and all runs with what they
 * measured. Times are in microseconds, rates are shares from 0 to 1; a value that is no number is {@code null}.
 */
public final class PaperJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private PaperJson() {}

    /**
     * The JSON text, indented, with a line feed at its end.
     *
     * @param book the sections whose claims were put to the test
     * @param findings of their claims, in the book's order
     * @param lab where it was done
     * @param scale how much of everything a run had
     * @param manifest what it ran on
     */
    public static String toText(Book book, List<Claim.Finding> findings, Lab lab, Scale scale, Manifest manifest) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("paper", book.name());
        json.put("title", book.title());
        json.put("version", manifest.version());
        json.put("commit", manifest.commit());
        json.put("seed", scale.seed());
        if (book.setups().stream().anyMatch(Setup::isScaled)) {
            json.put("records_per_node", scale.recordsPerNode());
        }
        ArrayNode claims = json.putArray("claims");
        findings.forEach(finding -> addClaim(claims.addObject(), finding));
        ArrayNode runs = json.putArray("runs");
        lab.done().forEach((setup, measured) -> addRun(runs.addObject(), setup, measured));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }

    private static void addClaim(ObjectNode json, Claim.Finding finding) {
        Claim claim = finding.claim();
        json.put("section", finding.section());
        json.put("source", claim.source());
        json.put("claim", claim.text());
        json.put("verdict", finding.verdict().words());
        json.put(finding.verdict() == Verdict.NOT_TESTED ? "why" : "criterion", finding.reason());
        ArrayNode quantities = json.putArray("quantities");
        claim.quantities().forEach(quantity -> quantities.add(quantity.name()));
        json.put(
                "modelled",
                claim.readings().stream()
                        .anyMatch(reading -> reading.setup().network().isModelled()));
        ArrayNode rows = json.putArray("measured");
        for (Row.Measured row : finding.rows()) {
            ObjectNode each = rows.addObject();
            each.put("label", row.label());
            each.put("unit", row.unit());
            ArrayNode values = each.putArray("values");
            for (Row.Value value : row.values()) {
                ObjectNode number = values.addObject();
                number.put("name", value.name());
                putNumber(number, "value", value.value());
                value.paper().ifPresent(paper -> number.put("paper", paper));
            }
        }
    }

    private static void addRun(ObjectNode json, Setup setup, Measured measured) {
        setup.facts().forEach((key, fact) -> json.set(key, MAPPER.valueToTree(fact)));
        ObjectNode values = json.putObject("measured");
        measured.values().forEach((quantity, value) -> putNumber(values, quantity.name(), value));
    }

    /** JSON has no numbers that are none. */
    private static void putNumber(ObjectNode json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, value);
        } else {
            json.putNull(key);
        }
    }
}
