package dev.rcc.server.admin;

import dev.rcc.core.cluster.Placement;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.admin.AdminServer.Answer;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The pages of a node's process: health, status and metrics. */
public final class NodePages {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final NodeHost host;
    private final int id;
    private final NodeMetrics metrics;

    /** Makes the pages of a node's process. */
    public NodePages(NodeHost host, int id) {
        this.host = host;
        this.id = id;
        this.metrics = new NodeMetrics(host, id);
    }

    /** Adds the pages to a server. */
    public void addTo(AdminServer server) {
        server.get("/health/live", question -> Answer.ok(AdminServer.TEXT, "live\n"));
        server.get("/health/ready", question -> ready());
        server.get(
                "/status",
                question -> Answer.ok(
                        AdminServer.JSON,
                        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(status()) + "\n"));
        server.get("/metrics", question -> {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            metrics.write(text);
            return new Answer(java.net.HttpURLConnection.HTTP_OK, NodeMetrics.CONTENT_TYPE, text::writeTo);
        });
    }

    private Answer ready() {
        String obstacle = obstacle();
        return obstacle.isEmpty()
                ? Answer.ok(AdminServer.TEXT, "ready\n")
                : Answer.unavailable(AdminServer.TEXT, "not ready: " + obstacle + "\n");
    }

    /** Why the node does not take transactions, empty if it does. */
    private String obstacle() {
        Optional<NodeServer> node = host.node();
        if (host.isBorrowed()) {
            return "the process runs a benchmark";
        }
        if (node.isEmpty() || host.state() != NodeServer.State.RUNNING) {
            List<Integer> missing = node.map(NodeServer::missing).orElse(List.of());
            return "the node is " + name(host.state()) + (missing.isEmpty() ? "" : ", missing are nodes " + missing);
        }
        if (host.clientAddress().isEmpty()) {
            return "clients are not let in yet";
        }
        if (node.get().configuration().isPresent()) {
            return node.get().isServing() ? "" : "the node has no place in a configuration of a majority";
        }
        return node.get().missing().isEmpty() ? "" : "nodes " + node.get().missing() + " are unreachable";
    }

    private ObjectNode status() {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("id", id);
        json.put("pid", ProcessHandle.current().pid());
        json.put("state", name(host.state()));
        json.put("benchmark", host.isBorrowed());
        json.put("client", host.clientAddress().orElse(null));
        host.node().ifPresent(node -> {
            json.put("fabric", node.network());
            json.put("atomicity", node.atomicity().name().toLowerCase(Locale.ROOT));
            json.put("protocol", node.config().protocol().name());
            json.put("code", node.config().code().digits());
            json.putObject("clock")
                    .put("synchronised", node.clock().isSynchronised())
                    .put("reason", node.clock().reason());
            json.put("datacenter", node.config().zones().nameOf(id));
            json.put("workers", node.config().workers());
            json.put("coroutines", node.config().coroutines());
            node.missing().forEach(json.putArray("missing")::add);
            node.configuration().ifPresent(configuration -> {
                json.put("epoch", configuration.epoch());
                json.put("changing", configuration.changing());
                json.put("serving", node.isServing());
            });
            ArrayNode members = json.putArray("members");
            for (int member = 0; member < node.config().nodes(); member++) {
                int id = member;
                ObjectNode one = members.addObject()
                        .put("id", member)
                        .put("datacenter", node.config().zones().nameOf(member))
                        .put("reachable", !node.missing().contains(member));
                node.configuration()
                        .ifPresent(configuration -> one.put("member", configuration.isMember(id))
                                .put("incarnation", configuration.incarnations().get(id)));
            }
            addPartitions(
                    json.putArray("partitions"),
                    node.configuration()
                            .map(configuration ->
                                    configuration.placement(node.config().home()))
                            .orElse(node.catalog().placement()));
            ArrayNode tables = json.putArray("tables");
            node.config().tables().forEach(table -> tables.add(table.name()));
        });
        return json;
    }

    private static void addPartitions(ArrayNode json, Placement placement) {
        for (int partition = 0; partition < placement.partitions(); partition++) {
            ObjectNode one = json.addObject();
            one.put("id", partition).put("primary", placement.primary(partition));
            ArrayNode backups = one.putArray("backups");
            for (int i = 0; i < placement.backups(partition); i++) {
                backups.add(placement.backup(partition, i));
            }
        }
    }

    private static String name(NodeServer.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
