package dev.rcc.transport.verbs;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.transport.control.ControlChannel;
import dev.rcc.transport.control.ControlOptions;
import dev.rcc.transport.verbs.darpc.DarpcOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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

/** A node of one worker with the real control channel, which can have a process of its own. */
final class VerbsProcess implements AutoCloseable {
    static final int NODES = 3;
    static final Duration FAILURE_TIMEOUT = Duration.ofSeconds(6);
    private static final int CONNECT_MILLIS = 60_000;

    private static final int DATA = 1;
    private static final int BUFFERS = 2;
    private static final int ECHO = 1;
    private static final int CALL_OFFSET = 1024;

    final ControlChannel control;
    final VerbsFabric fabric;
    private final EventLoop worker;
    private final Endpoint endpoint;
    private int coroutines;

    /** A node is dialled by the higher nodes, so it needs only the ports of the lower ones. */
    VerbsProcess(int node, List<Integer> lowerPorts, VerbsOptions options) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ControlOptions times =
                ControlOptions.of("verbs-test", node, NODES).withTimes(Duration.ofMillis(500), FAILURE_TIMEOUT);
        control = ControlChannel.bind(times, new InetSocketAddress(loopback, 0));
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int peer = 0; peer < NODES; peer++) {
            addresses.add(new InetSocketAddress(loopback, peer < node ? lowerPorts.get(peer) : 1));
        }
        control.peersAt(addresses);
        fabric = new VerbsFabric(control, options);
        fabric.register(DATA, 4096);
        Region region = fabric.register(BUFFERS, 4096);
        worker = new EventLoop(node, 0, 1);
        endpoint = fabric.open(worker, region);
        endpoint.handle(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), ~request.payload().getLong(request.payloadOffset()));
            request.reply(Memory.WORD_BYTES);
        });
    }

    VerbsProcess start() {
        fabric.start();
        control.start();
        worker.start();
        return this;
    }

    /** The failure that ended a loop of requests: the peer in the completion, and the time. */
    record End(int failedPeer, long nanos) {}

    /** A loop of requests: completes {@code begun} after the first success, and {@code end} at its end. */
    record Talk(CompletableFuture<Void> begun, CompletableFuture<End> end) {}

    /** Starts to read the peer's memory, again and again, until that fails. */
    Talk batchesUntilFailure(int peer) {
        return untilFailure(completion -> endpoint.batch(peer)
                .read(RemoteAddress.of(peer, DATA, 0), Memory.WORD_BYTES, 0)
                .post(completion));
    }

    /** Starts to call the peer, again and again, until that fails. */
    Talk callsUntilFailure(int peer) {
        return untilFailure(completion -> endpoint.call(
                peer, ECHO, CALL_OFFSET, Memory.WORD_BYTES, CALL_OFFSET + 64, Memory.WORD_BYTES, completion));
    }

    private interface Request {
        void post(Completion completion);
    }

    private Talk untilFailure(Request request) {
        Talk talk = new Talk(new CompletableFuture<>(), new CompletableFuture<>());
        worker.spawn(coroutines++, coroutine -> {
            try {
                Completion completion = new Completion(coroutine);
                request.post(completion);
                while (completion.await()) {
                    talk.begun.complete(null);
                    request.post(completion);
                }
                talk.end.complete(new End(completion.failedPeer(), System.nanoTime()));
            } catch (Throwable e) {
                talk.end.completeExceptionally(e);
            }
        });
        return talk;
    }

    @Override
    public void close() {
        worker.close();
        fabric.close();
        control.close();
    }

    /** Starts a child, which serves until its standard input ends. */
    static Process fork(int node, List<Integer> lowerPorts, VerbsOptions options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The same arguments as this JVM, which in the lab has an archive of classes. Without it a JVM starts
        // very slowly there.
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Drcc.test.log=OFF"); // peers end on purpose here
        command.addAll(List.of(
                "-cp",
                classPath(),
                VerbsProcess.class.getName(),
                String.valueOf(node),
                options.rpc().name()));
        lowerPorts.forEach(port -> command.add(String.valueOf(port)));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The class path of this JVM, however it was started. */
    private static String classPath() {
        List<String> entries = new ArrayList<>(List.of(System.getProperty("java.class.path")));
        if (VerbsProcess.class.getClassLoader() instanceof URLClassLoader loader) {
            Arrays.stream(loader.getURLs()).map(URL::getPath).forEach(entries::add);
        }
        return String.join(":", entries);
    }

    /** The options of all processes. On an emulated processor under load, a node takes long to reach even itself. */
    static VerbsOptions options(VerbsOptions.Rpc rpc) {
        DarpcOptions usual = DarpcOptions.DEFAULT;
        return VerbsOptions.DEFAULT
                .withRpc(rpc)
                .withDarpc(new DarpcOptions(
                        usual.callsPerPeer(), usual.messageBytesMax(), usual.inlineBytes(), CONNECT_MILLIS));
    }

    /** The main method of a child. It exits when it cannot begin, which the waiting parent notices. */
    public static void main(String[] args) throws IOException {
        try {
            live(args);
        } catch (RuntimeException e) {
            e.printStackTrace();
            System.exit(1); // threads of the network still run
        }
    }

    private static void live(String[] args) throws IOException {
        VerbsOptions options = options(VerbsOptions.Rpc.valueOf(args[1]));
        List<Integer> lowerPorts =
                Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
        try (VerbsProcess _ = new VerbsProcess(Integer.parseInt(args[0]), lowerPorts, options).start()) {
            while (System.in.read() >= 0) {
                // until the parent process ends, or ends this process
            }
        }
    }
}
