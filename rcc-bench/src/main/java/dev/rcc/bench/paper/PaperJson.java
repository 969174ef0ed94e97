package dev.rcc.bench.paper;

import dev.rcc.bench.driver.Manifest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The results of a paper's claims as one JSON object: the claims with their verdicts and the rows that these are based on, and all runs with
 * their measurements. Times are in microseconds, rates are shares from 0 to 1; a value that is not finite is {@code null}.
 */
public final class PaperJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private PaperJson() {}

    /**
     * The JSON text, indented, with a line feed at its end.
     *
     * @param book the sections whose claims were tested
     * @param findings the findings of their claims, in the book's order
     * @param labs the labs that made the runs, by condition
     * @param scale the size and duration of the runs
     * @param manifest the version and commit that ran
     */
    public static String toText(
            Book book, List<Claim.Finding> findings, Map<Condition, Lab> labs, Scale scale, Manifest manifest) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("paper", book.name());
        json.put("title", book.title());
        json.put("version", manifest.version());
        json.put("commit", manifest.commit());
        if (book.setups().stream().anyMatch(Setup::isScaled)) {
            json.put("records_per_node", scale.recordsPerNode());
        }
        ArrayNode claims = json.putArray("claims");
        findings.forEach(finding -> addClaim(claims.addObject(), finding));
        ArrayNode runs = json.putArray("runs");
        labs.forEach((condition, lab) ->
                lab.done().forEach((setup, measured) -> addRun(runs.addObject(), condition, setup, measured)));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }

    /**
     * The findings in a text that {@link #toText} wrote.
     *
     * @param book all of the paper's sections
     * @throws IllegalArgumentException when the text is of another paper, or has claims that the book does not have
     */
    public static List<Claim.Finding> findings(Book book, String text) {
        JsonNode json = MAPPER.readTree(text);
        if (!json.path("paper").asString("").equals(book.name())) {
            throw new IllegalArgumentException("the file is not about the paper " + book.name());
        }
        return json.get("claims").valueStream().map(each -> finding(book, each)).toList();
    }

    private static Claim.Finding finding(Book book, JsonNode json) {
        String section = json.get("section").asString();
        String text = json.get("claim").asString();
        Claim claim = book.sections().stream()
                .filter(each -> each.number().equals(section))
                .flatMap(each -> each.claims().stream())
                .filter(each -> each.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the paper has no claim '" + text + "' in " + section));
        JsonNode logged = json.get("holds_in_authors_logs");
        return new Claim.Finding(
                section,
                claim,
                json.get("outcomes")
                        .valueStream()
                        .map(each -> outcome(claim, each))
                        .toList(),
                logged == null ? Optional.empty() : Optional.of(logged.asBoolean()));
    }

    private static Outcome outcome(Claim claim, JsonNode json) {
        String settings = json.get("settings").asString();
        Verdict verdict = Verdict.of(json.get("verdict").asString());
        if (json.has("why")) {
            return Outcome.withoutFigures(settings, verdict, json.get("why").asString());
        }
        return new Outcome(
                settings,
                verdict,
                claim.words(),
                json.get("held").asLong(),
                json.get("seeds").asInt(),
                json.get("otherwise_with").valueStream().map(JsonNode::asString).toList(),
                json.get("measured").valueStream().map(PaperJson::row).toList());
    }

    private static Row.Measured row(JsonNode json) {
        return new Row.Measured(
                json.get("label").asString(),
                json.get("unit").asString(),
                json.get("values").valueStream().map(PaperJson::value).toList());
    }

    private static Row.Value value(JsonNode json) {
        return new Row.Value(
                json.get("name").asString(),
                number(json, "value").orElse(Double.NaN),
                number(json, "low").orElse(Double.NaN),
                number(json, "high").orElse(Double.NaN),
                number(json, "paper"),
                number(json, "logged"));
    }

    private static OptionalDouble number(JsonNode json, String key) {
        JsonNode number = json.get(key);
        if (number == null || number.isNull()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(number.isString() ? Double.parseDouble(number.asString()) : number.asDouble());
    }

    private static void addClaim(ObjectNode json, Claim.Finding finding) {
        Claim claim = finding.claim();
        json.put("section", finding.section());
        json.put("source", claim.source());
        json.put("claim", claim.text());
        json.put(claim.criterion().isEmpty() ? "why" : "criterion", claim.words());
        ArrayNode quantities = json.putArray("quantities");
        claim.quantities().forEach(quantity -> quantities.add(quantity.name()));
        json.put(
                "modelled",
                claim.readings().stream()
                        .anyMatch(reading -> reading.setup().network().isModelled()));
        ArrayNode outcomes = json.putArray("outcomes");
        finding.outcomes().forEach(outcome -> addOutcome(outcomes.addObject(), outcome));
        finding.logged().ifPresent(holds -> json.put("holds_in_authors_logs", holds));
    }

    private static void addOutcome(ObjectNode json, Outcome outcome) {
        json.put("settings", outcome.settings());
        json.put("verdict", outcome.verdict().words());
        if (!outcome.hasFigures()) {
            json.put("why", outcome.reason());
            return;
        }
        json.put("held", outcome.held());
        json.put("seeds", outcome.seeds());
        ArrayNode changing = json.putArray("otherwise_with");
        outcome.changing().forEach(changing::add);
        ArrayNode rows = json.putArray("measured");
        for (Row.Measured row : outcome.rows()) {
            ObjectNode each = rows.addObject();
            each.put("label", row.label());
            each.put("unit", row.unit());
            ArrayNode values = each.putArray("values");
            row.values().forEach(value -> addValue(values.addObject(), value));
        }
    }

    private static void addValue(ObjectNode json, Row.Value value) {
        json.put("name", value.name());
        putNumber(json, "value", value.value());
        putNumber(json, "low", value.low());
        putNumber(json, "high", value.high());
        value.paper().ifPresent(paper -> json.put("paper", paper));
        value.logged().ifPresent(logged -> {
            putNumber(json, "logged", logged);
            putNumber(json, "error", value.error().orElseThrow());
        });
    }

    private static void addRun(ObjectNode json, Condition condition, Setup setup, Measured measured) {
        json.put("settings", condition.settings().name());
        json.put("assumption", condition.assumption().name());
        json.put("seed", condition.seed());
        condition.change(setup).facts().forEach((key, fact) -> json.set(key, MAPPER.valueToTree(fact)));
        addInvariants(json, measured.invariants());
        ObjectNode values = json.putObject("measured");
        measured.values().forEach((quantity, value) -> putNumber(values, quantity.name(), value));
    }

    private static void addInvariants(ObjectNode json, Invariants invariants) {
        if (invariants.violations().isEmpty()) {
            json.put("invariants", invariants.areChecked() ? "ok" : "not checked");
        } else {
            invariants.violations().forEach(json.putArray("invariants")::add);
        }
    }

    /** Writes text for infinity, and null for NaN, as JSON has numbers for neither. */
    private static void putNumber(ObjectNode json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, value);
        } else if (Double.isInfinite(value)) {
            json.put(key, Double.toString(value));
        } else {
            json.putNull(key);
        }
    }
}
