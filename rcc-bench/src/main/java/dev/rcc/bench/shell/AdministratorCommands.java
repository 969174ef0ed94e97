package dev.rcc.bench.shell;

import dev.rcc.client.RccClient;
import dev.rcc.client.SessionDescription;
import dev.rcc.client.TableUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;

/** The commands of administrators. */
final class AdministratorCommands {
    private static final String ROW = "%-24s %6s  %-16s %-16s %-24s %12s  %s";

    private AdministratorCommands() {}

    static Answer usage(RccClient client, String table) {
        TableUsage usage = client.administration().usage(table);
        double percent = usage.capacity() == 0 ? 0 : 100.0 * usage.records() / usage.capacity();
        String overflow = usage.overflowCapacity() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; %d of them in overflow, which has room for %d",
                        usage.overflow(),
                        usage.overflowCapacity());
        return Answer.of(
                String.format(
                                Locale.ROOT,
                                "%d records, room for %d (%.1f %%)",
                                usage.records(),
                                usage.capacity(),
                                percent)
                        + overflow,
                object -> object.put("table", usage.table())
                        .put("records", usage.records())
                        .put("capacity", usage.capacity())
                        .put("overflow", usage.overflow())
                        .put("overflow_capacity", usage.overflowCapacity()));
    }

    static Answer sessions(RccClient client) {
        List<SessionDescription> sessions = client.administration().sessions();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, ROW, "gateway", "number", "user", "client", "from", "transactions", "connected"));
        for (SessionDescription each : sessions) {
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    each.gateway(),
                    each.number(),
                    each.user(),
                    each.client(),
                    each.address(),
                    each.transactions(),
                    each.connected().toSeconds() + " s"));
        }
        return Answer.of(String.join("\n", lines), object -> {
            ArrayNode array = object.putArray("sessions");
            sessions.forEach(each -> array.addObject()
                    .put("gateway", each.gateway())
                    .put("number", each.number())
                    .put("user", each.user())
                    .put("client", each.client())
                    .put("address", each.address())
                    .put("transactions", each.transactions())
                    .put("connected_millis", each.connected().toMillis()));
        });
    }

    static Answer disconnect(RccClient client, List<Word> arguments) {
        boolean existed = client.administration().endSession(gateway(arguments.get(0)), number(arguments.get(1)));
        return Answer.of(existed ? "disconnected" : "(no such connection)", object -> object.put("found", existed));
    }

    private static String gateway(Word word) {
        if (word.text().matches(".+:[0-9]{1,5}")) {
            return word.text();
        }
        throw BadCommand.given("gateway", word.toString(), "one of those that 'sessions' shows, host:port");
    }

    private static long number(Word word) {
        try {
            return Long.parseLong(word.text());
        } catch (NumberFormatException e) {
            throw BadCommand.given("number", word.toString(), "one of those that 'sessions' shows, an integer");
        }
    }
}
