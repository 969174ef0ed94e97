package dev.rcc.bench.shell;

import dev.rcc.client.HeldLock;
import dev.rcc.client.LockDescription;
import dev.rcc.client.LockMode;
import dev.rcc.client.LockOptions;
import dev.rcc.client.RccClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;

/** The commands for locks, and the locks that the shell holds. */
final class LockCommands implements AutoCloseable {
    private static final String ROW = "%-24s %-24s %-10s %-8s %20s %8s  %-16s %s";
    private static final String WAIT = "wait";
    private static final String LEASE = "lease";
    private static final long SECONDS_MAX = 86_400;

    private record Name(String namespace, String lock) {}

    private final RccClient client;
    private final Map<Name, HeldLock> held = new HashMap<>();

    LockCommands(RccClient client) {
        this.client = client;
    }

    Answer lock(List<Word> arguments) {
        Name name = new Name(arguments.get(0).text(), arguments.get(1).text());
        HeldLock before = held.get(name);
        if (before != null && before.isHeld()) {
            throw new BadCommand("the shell holds the lock already: unlock it first");
        }
        LockMode mode = LockMode.EXCLUSIVE;
        LockOptions options = LockOptions.DEFAULT;
        for (int i = 2; i < arguments.size(); i++) {
            Word word = arguments.get(i);
            if ((word.is(WAIT) || word.is(LEASE)) && i + 1 < arguments.size()) {
                Duration seconds = Duration.ofSeconds(seconds(arguments.get(++i)));
                options = word.is(WAIT) ? options.wait(seconds) : options.lease(seconds);
            } else {
                mode = mode(word);
            }
        }
        HeldLock lock = client.locks(name.namespace).lock(name.lock, mode, options);
        held.put(name, lock);
        return Answer.of(
                "held for " + lock.leaseLeft().toMillis() + " ms, token " + lock.token(),
                object -> object.put("namespace", name.namespace)
                        .put("name", name.lock)
                        .put("token", lock.token())
                        .put("lease_millis", lock.leaseLeft().toMillis()));
    }

    private static LockMode mode(Word word) {
        return Arrays.stream(LockMode.values())
                .filter(each -> word.is(label(each)))
                .findFirst()
                .orElseThrow(() -> BadCommand.given(
                        "argument",
                        word.toString(),
                        Arrays.stream(LockMode.values())
                                        .map(LockCommands::label)
                                        .collect(Collectors.joining(", ")) + ", wait SECONDS, lease SECONDS"));
    }

    private static String label(LockMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static long seconds(Word word) {
        try {
            long seconds = Long.parseLong(word.text());
            if (seconds >= 0 && seconds <= SECONDS_MAX) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            throw BadCommand.given("seconds", word.toString(), "an integer from 0 to " + SECONDS_MAX);
        }
        throw BadCommand.given("seconds", word.toString(), "an integer from 0 to " + SECONDS_MAX);
    }

    Answer unlock(List<Word> arguments) {
        HeldLock lock =
                held.remove(new Name(arguments.get(0).text(), arguments.get(1).text()));
        boolean wasHeld = lock != null && lock.isHeld();
        if (lock != null) {
            lock.unlock();
        }
        return Answer.of(
                wasHeld ? "unlocked" : lock == null ? "(not held here)" : "(was lost: its lease is over)",
                object -> object.put("held", wasHeld));
    }

    Answer locks(List<Word> arguments) {
        String namespace = arguments.getFirst().text();
        List<LockDescription> locks = client.locks(namespace).describe();
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(Locale.ROOT, ROW, "gateway", "lock", "mode", "state", "token", "left", "user", "client"));
        for (LockDescription each : locks) {
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    each.gateway(),
                    each.name(),
                    label(each.mode()),
                    each.isHeld() ? "held" : "waiting",
                    each.isHeld() ? each.token() : "",
                    each.isHeld() ? each.leaseLeft().toMillis() + " ms" : "",
                    each.user(),
                    each.client()));
        }
        return Answer.of(String.join("\n", lines), object -> {
            ArrayNode array = object.putArray("locks");
            locks.forEach(each -> array.addObject()
                    .put("gateway", each.gateway())
                    .put("name", each.name())
                    .put("mode", label(each.mode()))
                    .put("held", each.isHeld())
                    .put("token", each.token())
                    .put("lease_millis", each.leaseLeft().toMillis())
                    .put("user", each.user())
                    .put("client", each.client()));
        });
    }

    /** Releases the locks that the shell holds. */
    @Override
    public void close() {
        held.values().forEach(HeldLock::unlock);
        held.clear();
    }
}
