package dev.rcc.it.lab;

import dev.rcc.bench.cli.FreePorts;
import dev.rcc.bench.cli.Rcc;
import dev.rcc.it.Loopback;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.IntStream;
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
    private static final int NODES = 3;
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

    /** A cluster whose nodes all run here, and a benchmark on it. */
    private static void serveAndBench(Path directory) throws Exception {
        String peers = Loopback.peers(FreePorts.draw(NODES));
        Files.writeString(directory.resolve("cluster.json"), "{\"nodes\": " + NODES + "}");
        Process parent = new ProcessBuilder("sleep", "600").start(); // the nodes end when this does
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        List<CompletableFuture<Integer>> nodes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            Path config = directory.resolve("node" + node + ".yaml");
            Files.writeString(
                    config,
                    "node: " + node + "\npeers: " + peers
                            + "\nbench: \"yes\"\nfabric: tcp\nprotocol: nowait\nrecovery-seconds: 0\n");
            Path state = directory.resolve("node" + node + ".json");
            nodes.add(CompletableFuture.supplyAsync(
                    () -> Rcc.execute(
                            out, out, "server", "--config=" + config, "--state=" + state, "--parent=" + parent.pid()),
                    task -> Thread.ofPlatform().daemon().start(task)));
        }
        while (nodes.stream().noneMatch(CompletableFuture::isDone) && !areRunning(directory)) {
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
        for (CompletableFuture<Integer> node : nodes) {
            node.get(5, TimeUnit.MINUTES);
        }
    }

    private static boolean areRunning(Path directory) {
        return IntStream.range(0, NODES).allMatch(node -> Files.exists(directory.resolve("node" + node + ".json")));
    }
}
