package dev.rcc.server.gateway;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that names the gateway's users. It is read every second. Its contents take effect when two reads in a row have found the same,
 * as its writer may take a moment. While it cannot be read or parsed, the users that it named before stay valid, and the log says so.
 *
 * <p>It is read as a whole, since the times of files that are mounted or copied are not reliable.
 */
public final class UsersFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UsersFile.class);
    private static final long POLL_MILLIS = 1_000;
    /** After so many polls, the log repeats that the file is invalid. */
    private static final int REMIND_POLLS = 60;

    /** The result of a read: a text, or why there is none; the other is empty. */
    private record Found(String text, String failure) {}

    private final Path file;
    private final Function<String, Users> parser;
    private final Consumer<Users> listener;
    private Users users;
    private Found last;
    /** The text from which {@link #users} were made, once it was read here. */
    private String taken = "";

    private String problem = "";
    private int pollsSinceReport;
    private ScheduledExecutorService poller;

    /**
     * A file that is not watched yet.
     *
     * @param users the users that the first read found
     * @param parser makes users of the file's text; throws an {@link IllegalArgumentException} that describes the problem
     * @param listener called with the file's users when they have changed
     */
    public UsersFile(Path file, Users users, Function<String, Users> parser, Consumer<Users> listener) {
        this.file = file;
        this.users = users;
        this.parser = parser;
        this.listener = listener;
    }

    /**
     * The text of such a file.
     *
     * @throws IllegalArgumentException when it cannot be read
     */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no such file", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be read (" + e + ")", e);
        }
    }

    /** Polls the file from now on. */
    public void watch() {
        poller = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("rcc-users").factory());
        Future<?> _ = poller.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Polls the file once. */
    void poll() {
        try {
            Found found = find();
            boolean isStill = found.equals(last);
            last = found;
            if (isStill) {
                consider(found);
            }
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "event=users_file_unread file={}: it could not be read; the users that it named before stay valid",
                    file,
                    e);
        }
    }

    private Found find() {
        try {
            return new Found(read(file), "");
        } catch (IllegalArgumentException e) {
            return new Found("", e.getMessage());
        }
    }

    private void consider(Found found) {
        String wrong = found.failure;
        if (wrong.isEmpty() && !found.text.equals(taken)) {
            try {
                take(parser.apply(found.text));
                taken = found.text;
            } catch (IllegalArgumentException e) {
                wrong = e.getMessage();
            }
        }
        pollsSinceReport++;
        if (!wrong.isEmpty() && (!wrong.equals(problem) || pollsSinceReport >= REMIND_POLLS)) {
            LOG.error(
                    "event=users_file_invalid file={}: the users that it named before stay valid, and no others: {}",
                    file,
                    wrong);
            pollsSinceReport = 0;
        } else if (wrong.isEmpty() && !problem.isEmpty()) {
            LOG.info("event=users_file_valid file={}", file);
        }
        problem = wrong;
    }

    private void take(Users now) {
        Map<String, User> before = byName(users);
        Map<String, User> after = byName(now);
        if (after.equals(before)) {
            return;
        }
        users = now;
        listener.accept(now);
        LOG.info(
                "event=users_changed file={} added={} removed={} changed={}",
                file,
                names(after, name -> !before.containsKey(name)),
                names(before, name -> !after.containsKey(name)),
                names(
                        after,
                        name -> before.containsKey(name) && !before.get(name).equals(after.get(name))));
    }

    private static Map<String, User> byName(Users users) {
        return users.list().stream().collect(Collectors.toMap(User::name, user -> user));
    }

    private static List<String> names(Map<String, User> users, Predicate<String> which) {
        return users.keySet().stream().filter(which).sorted().toList();
    }

    /** Ends the polling. */
    @Override
    public void close() {
        if (poller != null) {
            poller.shutdownNow();
        }
    }
}
