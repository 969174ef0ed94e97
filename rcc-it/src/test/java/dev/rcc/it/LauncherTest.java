package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.SourceTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script that starts the command, in a tree of its own: the program prints a line, waits for one, and prints what a class of another jar
 * says, which it loads then only. The stand-in for Maven writes over the jars of the build before, as Maven does.
 */
class LauncherTest {
    private static final String MAIN = "Main";
    private static final String LATE = "Late";

    @TempDir
    private Path directory;

    private Path tree;
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void makeTree() throws IOException {
        tree = directory.resolve("a tree");
        Files.createDirectories(tree.resolve("build-tools"));
        Files.createDirectories(tree.resolve("rcc-bench/src/main"));
        Path root = SourceTree.root();
        Files.copy(root.resolve("rcc"), tree.resolve("rcc"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(root.resolve("build-tools/find-jdk.sh"), tree.resolve("build-tools/find-jdk.sh"));
        Path maven = Files.writeString(tree.resolve("mvnw"), """
                #!/bin/sh
                cd "$(dirname "$0")" || exit 1
                read -r version < rcc-bench/src/main/version
                mkdir -p rcc-bench/target/lib
                cat "../$version/rcc.jar" > rcc-bench/target/rcc.jar
                cat "../$version/late.jar" > rcc-bench/target/lib/late.jar
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        writeSources("1", Instant.now().minusSeconds(60));
    }

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void shouldLetARunningProcessLoadItsClassesAfterARebuild() throws Exception {
        Process before = start();
        BufferedReader out = before.inputReader();
        assertThat(out.readLine()).isEqualTo("started");
        writeSources("2", Instant.now().plusSeconds(60));

        assertThat(output(start())).containsExactly("started", "build 2");

        goOn(before);
        assertThat(out.readLine()).isEqualTo("build 1");
    }

    @Test
    void shouldKeepTheBuildsFromWhichProcessesRunAndTheLastTwo() throws Exception {
        Process first = start();
        assertThat(first.inputReader().readLine()).isEqualTo("started");
        for (int version = 2; version <= 5; version++) {
            writeSources(Integer.toString(version), Instant.now().plusSeconds(60));
            assertThat(output(start())).containsExactly("started", "build " + version);
        }

        try (Stream<Path> builds = Files.list(tree.resolve("target/rcc-builds"))) {
            assertThat(builds).hasSize(3);
        }
        goOn(first);
        assertThat(first.inputReader().readLine()).isEqualTo("build 1");
    }

    @Test
    void shouldRunWhatMavenBuiltWithoutTheScriptAndNotBuildItAgain() throws Exception {
        Process maven = new ProcessBuilder(tree.resolve("mvnw").toString()).start();
        assertThat(maven.waitFor()).isZero();
        Files.delete(tree.resolve("mvnw"));

        assertThat(output(start())).containsExactly("started", "build 1");
    }

    @Test
    void shouldBuildAgainAfterABuildThatEndedBeforeTheLibrariesWereThere() throws Exception {
        Path maven = tree.resolve("mvnw");
        String whole = Files.readString(maven);
        Files.writeString(maven, """
                #!/bin/sh
                cd "$(dirname "$0")" || exit 1
                mkdir -p rcc-bench/target
                echo half > rcc-bench/target/rcc.jar
                exit 1
                """);
        assertThat(start().waitFor()).isEqualTo(1);
        Files.writeString(maven, whole);

        assertThat(output(start())).containsExactly("started", "build 1");
    }

    // A JVM that is told of no collector takes another one.
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseGCOverheadLimit", "-XX:-UseLargePages -XX:+UseNUMA -XX:MaxGCPauseMillis=100"})
    void shouldUseTheParallelCollectorWithOptionsThatNameNoCollector(String options) throws Exception {
        assertThat(output(start("RCC_JAVA_OPTS", "-Xlog:gc " + options)))
                .anyMatch(line -> line.endsWith("Using Parallel"))
                .endsWith("started", "build 1");
    }

    /** Changes the sources, from which Maven then builds jars of this version. */
    private void writeSources(String version, Instant time) throws IOException {
        Path built = Files.createDirectory(directory.resolve(version));
        Path source = Files.writeString(built.resolve(MAIN + ".java"), """
                class Main {
                    public static void main(String[] arguments) throws java.io.IOException {
                        System.out.println("started");
                        System.in.read();
                        Late.print();
                    }
                }

                class Late {
                    static void print() {
                        System.out.println("build %s");
                    }
                }
                """.formatted(version));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, "-d", built.toString(), source.toString()))
                .isZero();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, MAIN);
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/late.jar");
        writeJar(built, "rcc.jar", manifest, MAIN);
        writeJar(built, "late.jar", new Manifest(), LATE);
        Path sources = Files.writeString(tree.resolve("rcc-bench/src/main/version"), version + "\n");
        Files.setLastModifiedTime(sources, FileTime.from(time));
    }

    private static void writeJar(Path built, String name, Manifest manifest, String type) throws IOException {
        try (OutputStream file = Files.newOutputStream(built.resolve(name));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.putNextEntry(new JarEntry(type + ".class"));
            Files.copy(built.resolve(type + ".class"), jar);
            jar.closeEntry();
        }
    }

    private Process start() throws IOException {
        return start("RCC_JAVA_OPTS", "");
    }

    private Process start(String variable, String value) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(tree.resolve("rcc").toString());
        builder.environment().put("RCC_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().remove("RCC_LAB");
        builder.environment().put(variable, value);
        Process process =
                builder.redirectError(directory.resolve("err.txt").toFile()).start();
        processes.add(process);
        return process;
    }

    private static void goOn(Process process) throws IOException {
        process.outputWriter().append('\n').flush();
    }

    private List<String> output(Process process) throws IOException, InterruptedException {
        goOn(process);
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor(RccProcess.HANG_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("err.txt")))
                .isZero();
        return lines;
    }
}
