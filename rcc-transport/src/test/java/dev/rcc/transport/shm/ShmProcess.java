package dev.rcc.transport.shm;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A node of one worker in a process of its own. The test's process is node 0, whose port the other nodes have. */
final class ShmProcess implements AutoCloseable {
    /** The work of a child's coroutine once it reaches node 0. */
    enum Role {
        /** No work; its handlers serve. */
        SERVE,
        /** Adds 1 to {@link #COUNTER} of node 0, alternately with FETCH_ADD and with CAS, {@link #ADDITIONS} times. */
        ADD,
        /** Adds 1 to {@link #COUNTER} of node 0 until it is killed. */
        ADD_FOR_EVER,
        /** Writes records into its own data and commits each, until it is killed. */
        COMMIT
    }

    static final int DATA = 1;
    static final int ECHO = 1;
    /** The call that reports to node 0 that {@link Role#ADD} is done. */
    static final int DONE = 2;

    static final long COUNTER = 0;
    static final int ADDITIONS = 20_000;

    /** The number of the last record that was committed; it is in slot {@code number % 2}. */
    static final long COMMITTED = 64;

    static final int RECORD_WORDS = 32;

    private static final int BUFFERS = 2;
    private static final int NODES = 3;

    final ControlChannel control;
    final ShmFabric fabric;
    final EventLoop worker;
    final Memory data;
    final Memory buffers;
    final Endpoint endpoint;
    private int coroutines;

    ShmProcess(int node, int portOfNode0, ShmOptions options) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ControlOptions times =
                ControlOptions.of("shm-test", node, NODES).withTimes(Duration.ofMillis(200), Duration.ofSeconds(30));
        control = ControlChannel.bind(times, new InetSocketAddress(loopback, 0));
        // Only node 0 is dialled: the children do not connect to each other.
        InetSocketAddress nobody = new InetSocketAddress(loopback, 1);
        control.peersAt(
                List.of(new InetSocketAddress(loopback, node == 0 ? control.port() : portOfNode0), nobody, nobody));
        fabric = new ShmFabric(control, options);
        data = fabric.register(DATA, 1 << 16).memory();
        Region region = fabric.register(BUFFERS, 1 << 16);
        buffers = region.memory();
        worker = new EventLoop(node, 0, 1);
        endpoint = fabric.open(worker, region);
        endpoint.handle(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), ~request.payload().getLong(request.payloadOffset()));
            request.reply(Memory.WORD_BYTES);
        });
    }

    ShmProcess start() {
        fabric.start();
        control.start();
        worker.start();
        return this;
    }

    /** A coroutine's work, with its completion. */
    @FunctionalInterface
    interface Body<T> {
        T run(Completion completion);
    }

    /** Starts a coroutine. */
    <T> CompletableFuture<T> spawn(Body<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        worker.spawn(coroutines++, coroutine -> {
            try {
                result.complete(body.run(new Completion(coroutine)));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Calls the echo of a peer, and returns whether the right answer came. */
    boolean echo(int peer, long word, Completion completion) {
        buffers.putLong(0, word);
        endpoint.call(peer, ECHO, 0, Memory.WORD_BYTES, 8, Memory.WORD_BYTES, completion);
        return completion.await() && buffers.getLong(8) == ~word;
    }

    /** Adds to {@link #COUNTER} of node 0, alternately by FETCH_ADD and by CAS. */
    void add(Completion completion) {
        long address = RemoteAddress.of(0, DATA, COUNTER);
        long expected = 0;
        for (int i = 0; i < ADDITIONS; ) {
            if (i % 2 == 0) {
                endpoint.batch(0).fetchAdd(address, 1, 16).post(completion);
                awaitSuccess(completion);
                i++;
            } else {
                endpoint.batch(0).cas(address, expected, expected + 1, 16).post(completion);
                awaitSuccess(completion);
                i += buffers.getLong(16) == expected ? 1 : 0;
                expected = buffers.getLong(16);
            }
        }
    }

    static void awaitSuccess(Completion completion) {
        if (!completion.await()) {
            throw new AssertionError("node " + completion.failedPeer() + " failed");
        }
    }

    private Void addAndTell(Completion completion) {
        while (!fabric.isReachable(0)) {
            Thread.onSpinWait();
        }
        add(completion);
        endpoint.call(0, DONE, 0, 0, 0, 0, completion);
        awaitSuccess(completion);
        return null;
    }

    /** The offset of a record. */
    static long record(long number) {
        return 1024 + number % 2 * RECORD_WORDS * Memory.WORD_BYTES;
    }

    private void commitForEver() {
        for (long number = 1; ; number++) {
            for (int word = 0; word < RECORD_WORDS; word++) {
                data.putLong(record(number) + 8L * word, number);
            }
            data.putRelease(COMMITTED, number);
            Memory.storeFence(); // orders this commit before the writes of the record after next
        }
    }

    @Override
    public void close() {
        worker.close();
        fabric.close();
        control.close();
    }

    /** Starts a child, which ends when its standard input ends. */
    static Process fork(int node, int portOfNode0, ShmOptions options, Role role) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Drcc.test.log=OFF", // peers end on purpose here; their warnings do not matter
                "-cp",
                classPath(),
                ShmProcess.class.getName()));
        command.addAll(List.of(
                String.valueOf(node),
                String.valueOf(portOfNode0),
                options.cluster(),
                options.directory().toString(),
                String.valueOf(options.ringBytes()),
                role.name()));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The class path of this JVM, however it was started. */
    private static String classPath() {
        List<String> entries = new ArrayList<>(List.of(System.getProperty("java.class.path")));
        if (ShmProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            Arrays.stream(loader.getURLs()).map(URL::getPath).forEach(entries::add);
        }
        return String.join(":", entries);
    }

    /** A child's incarnation. */
    public static void main(String[] args) throws Exception {
        int node = Integer.parseInt(args[0]);
        ShmOptions options = new ShmOptions(args[2], Path.of(args[3]), Integer.parseInt(args[4]));
        Role role = Role.valueOf(args[5]);
        try (ShmProcess self = new ShmProcess(node, Integer.parseInt(args[1]), options).start()) {
            CompletableFuture<Void> work = switch (role) {
                case SERVE -> new CompletableFuture<>();
                case ADD -> self.spawn(self::addAndTell);
                case ADD_FOR_EVER ->
                    self.spawn(completion -> {
                        while (true) {
                            self.addAndTell(completion);
                        }
                    });
                case COMMIT -> CompletableFuture.runAsync(self::commitForEver);
            };
            while (System.in.read() >= 0) {
                // until the parent process ends, or ends this process
            }
            if (work.isCompletedExceptionally()) {
                work.join(); // throws the cause
            }
        }
    }
}
