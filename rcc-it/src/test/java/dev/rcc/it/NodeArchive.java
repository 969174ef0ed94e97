package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.cli.FreePorts;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Classes as they are when a node of a cluster runs, loaded and linked: a process that begins with them takes half of the processor time until it
 * runs. The first JVM that needs the archive makes it for all; it fits only the jars and the JDK that it was made with.
 */
final class NodeArchive {
    private static final int NODES = 3;

    /** For {@code -XX:AOTCache}. */
    static final Path FILE = create();

    private NodeArchive() {}

    private static Path create() {
        try {
            Path directory = Files.createDirectories(SourceTree.root().resolve("rcc-it/target/archive"));
            Path file = directory.resolve("node-" + Runtime.version() + ".aot");
            try (FileChannel channel = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                if (!isCurrent(file)) {
                    Path trained = directory.resolve("training.aot");
                    train(directory, trained);
                    Files.move(trained, file, StandardCopyOption.ATOMIC_MOVE);
                }
            }
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Whether there is an archive that was made when the command's jars had been. */
    private static boolean isCurrent(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(file);
        try (Stream<Path> libraries = Files.list(RccProcess.JAR.resolveSibling("lib"))) {
            for (Path jar : Stream.concat(Stream.of(RccProcess.JAR), libraries).toList()) {
                if (Files.getLastModifiedTime(jar).compareTo(made) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Runs a cluster, whose first node records which classes it needs. */
    private static void train(Path directory, Path archive) throws IOException, InterruptedException {
        Files.deleteIfExists(archive);
        String peers = Loopback.peers(FreePorts.draw(NODES));
        List<RccProcess> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                List<String> command = RccProcess.command(List.of());
                if (node == 0) {
                    command.addAll(1, List.of("-XX:AOTCacheOutput=" + archive, "-Xlog:aot=error", "-Xlog:cds=error"));
                }
                command.addAll(List.of("server", "--node", String.valueOf(node), "--peers", peers));
                nodes.add(RccProcess.launch(directory, command));
            }
            RccProcess trained = nodes.getFirst();
            trained.awaitOut("running: ");
            trained.process().destroy();
            trained.exitCode();
            assertThat(archive).as("%s", trained).isRegularFile();
        } finally {
            nodes.forEach(RccProcess::close);
        }
    }
}
