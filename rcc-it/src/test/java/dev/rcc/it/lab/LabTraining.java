package dev.rcc.it.lab;

import dev.rcc.bench.cli.Rcc;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Does, on networks that need no device, what the tests in the lab and the nodes that they start will do there, while the JVM takes down
 * which classes that needs. From the archive that is made of it, {@link RdmaIT}'s JVMs in the lab have them as they were
 * when they had been loaded and linked: on an emulated processor, that is most of what a JVM does at first.
 */
public final class LabTraining {
    private static final String VERBS = "dev/rcc/transport/verbs/";
    private static final String DARPC = "com/ibm/darpc/";
    private static final String DISNI_VERBS = "com/ibm/disni/verbs/";
    private static final String CLASS = ".class";
    private static final String TESTS = "dev.rcc.it.protocol.AtomicityOnShmTest";

    private LabTraining() {}

    /** Trains, with {@code args[0]} as an empty directory. */
    public static void main(String[] args) throws Exception {
        LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(TESTS))
                        .filters(EngineFilter.includeEngines("junit-jupiter"))
                        .build());
        loadVerbs();
        serveAndBench(Path.of(args[0]));
        System.exit(0); // whether the tests have passed is for others to tell
    }

    /** What would need a device to get further. DiSNI's utilities are left out: two are replaced before they are loaded. */
    private static void loadVerbs() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(":", -1)) {
            if (!entry.endsWith(".jar") || !Files.exists(Path.of(entry))) {
                continue;
            }
            try (JarFile jar = new JarFile(entry)) {
                List<String> names = jar.stream()
                        .map(file -> file.getName())
                        .filter(name ->
                                (name.startsWith(VERBS) || name.startsWith(DARPC) || name.startsWith(DISNI_VERBS))
                                        && name.endsWith(CLASS)
                                        && !name.contains("Test"))
                        .map(name -> name.substring(0, name.length() - CLASS.length())
                                .replace('/', '.'))
                        .toList();
                for (String name : names) {
                    try {
                        Class.forName(name, name.startsWith("dev"), LabTraining.class.getClassLoader());
                    } catch (ClassNotFoundException | LinkageError e) {
                        System.out.println("not loaded here: " + e); // such as package-info, or without the library
                    }
                }
            }
        }
    }

    /** A node of a cluster, and a benchmark on it. */
    private static void serveAndBench(Path directory) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(
                directory.resolve("node0.yaml"),
                "node: 0\npeers: 127.0.0.1:" + port + "\nbench: \"yes\"\nfabric: tcp\nprotocol: nowait\n");
        Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": 1}");
        Path state = directory.resolve("node0.json");
        Process parent = new ProcessBuilder("sleep", "600").start(); // the node ends when this does
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        CompletableFuture<Integer> node = CompletableFuture.supplyAsync(
                () -> Rcc.execute(
                        out,
                        out,
                        "server",
                        "--config=" + directory.resolve("node0.yaml"),
                        "--state=" + state,
                        "--parent=" + parent.pid()),
                task -> Thread.ofPlatform().daemon().start(task));
        while (!Files.exists(state) && !node.isDone()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        for (String code : List.of("rpc", "one-sided")) {
            Rcc.execute(
                    out,
                    out,
                    "bench",
                    "--cluster=" + directory,
                    "--protocol=nowait",
                    "--code=" + code,
                    "--warmup=0.1",
                    "--seconds=0.3",
                    "--coroutines=3",
                    "--json=" + directory.resolve(code + ".json"),
                    "-Paccounts=200");
        }
        parent.destroy();
        node.get(1, TimeUnit.MINUTES);
    }
}
