package dev.rcc.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The administrators' pages of a server process. */
final class Admin {
    private static final Pattern COMMITS = Pattern.compile("(?m)^rcc_commits_total\\{[^}]*} ([0-9.E]+)$");

    private Admin() {}

    /** Asks for a page of a node, as {@code cluster status} shows it. */
    static HttpResponse<String> get(JsonNode node, String path) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create(node.get("admin").asString() + path);
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** How many transactions a node has committed. */
    static long commits(JsonNode node) {
        var matcher = COMMITS.matcher(get(node, "/metrics").body());
        if (!matcher.find()) {
            throw new AssertionError("no rcc_commits_total at " + node);
        }
        return (long) Double.parseDouble(matcher.group(1));
    }
}
