package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.testing.BuildDraw;
import dev.rcc.core.testing.SourceTree;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.transport.composite.CompositePairing;
import dev.rcc.transport.network.FabricProvider;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that a protocol, a network, or the package that makes one network of two can be deleted: its package, and its entry in {@link Protocols} or
 * {@link Networks}. The remaining main sources are compiled without half of them, except the client library's, which depends on no other module. An
 * instrument that exists for one network only goes with it.
 */
class DeletablePackagesTest {
    private static final Path ROOT = SourceTree.root();
    private static final String CLIENT = "rcc-client";
    private static final List<String> MODULES =
            List.of("rcc-core", "rcc-transport", "rcc-protocols", "rcc-server", "rcc-bench");
    private static final String LISTS = "Protocols.java|Networks.java|Rcc.java";
    /** By package: the classes that are there for it alone. */
    private static final Map<String, String> INSTRUMENTS =
            Map.of("dev.rcc.transport.verbs", "dev/rcc/bench/(verbs/|cli/BenchVerbs|jmh/VerbsCallBenchmark).*");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldBuildWithoutEveryProtocolAndNetworkThatTheOtherHalfHas(int half, TestInfo test) throws IOException {
        LongTest.DELETED_PACKAGES.assumeDrawn();
        BuildDraw.assumeDrawn(test, String.valueOf(half), List.of("0", "1"));
        List<Class<?>> all = new ArrayList<>();
        Protocols.all().stream().map(Protocol::getClass).forEach(all::add);
        Networks.all().stream().map(FabricProvider::getClass).forEach(all::add);
        all.add(CompositePairing.class);
        assertThat(all).hasSizeGreaterThan(1);
        List<Class<?>> deleted = new ArrayList<>();
        for (int i = half; i < all.size(); i += 2) {
            deleted.add(all.get(i));
        }
        assertThat(complaintsWithout(deleted)).as("without %s", deleted).isEmpty();
    }

    /** The compiler's messages about all main sources without the packages of some classes, and the entries of these classes. */
    private String complaintsWithout(List<Class<?>> deleted) throws IOException {
        Path copy = Files.createTempDirectory(directory, "copy");
        List<Path> sources = new ArrayList<>();
        Predicate<Path> isLeft = isLeftWithout(deleted);
        for (Path source : mainSources()) {
            if (!isLeft.test(source)) {
                continue;
            }
            if (source.getFileName().toString().matches(LISTS)) {
                Path changed = Files.createDirectories(copy.resolve(String.valueOf(sources.size())))
                        .resolve(source.getFileName());
                sources.add(Files.writeString(changed, withoutEntries(Files.readString(source), deleted)));
            } else {
                sources.add(source);
            }
        }
        return compile(sources, copy);
    }

    private static List<Path> mainSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            sources.addAll(SourceTree.mainSources(module));
        }
        return sources;
    }

    private static Predicate<Path> isLeftWithout(List<Class<?>> deleted) {
        String gone = deleted.stream()
                .map(Class::getPackageName)
                .flatMap(name -> Stream.of(name.replace('.', '/') + "/.*", INSTRUMENTS.getOrDefault(name, "-")))
                .collect(Collectors.joining("|", ".*/src/main/java/(", ")"));
        return source -> !source.toString().matches(gone);
    }

    private static String withoutEntries(String source, List<Class<?>> deleted) {
        String changed = source;
        for (Class<?> type : deleted) {
            changed = changed.replaceFirst("import " + type.getName() + ";", "")
                    .replaceFirst("(?s),\\s*new " + type.getSimpleName() + "\\(\\)", "")
                    .replaceFirst("(?s)new " + type.getSimpleName() + "\\(\\),\\s*", "")
                    .replaceFirst("\\(new " + type.getSimpleName() + "\\(\\)\\)", "()");
            if (INSTRUMENTS.containsKey(type.getPackageName())) {
                changed = changed.replaceAll("\\n[^\\n]*VerbsRig[^\\n]*", "");
            }
        }
        return changed;
    }

    private static String compile(List<Path> sources, Path output) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assumeTrue(compiler != null, "a Java runtime without a compiler");
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-nowarn",
                    "-implicit:none",
                    "-XDcompilePolicy=attr",
                    "-d",
                    output.toString(),
                    "-classpath",
                    libraries());
            boolean isBuilt = compiler.getTask(
                            complaints, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            return isBuilt ? "" : complaints.toString();
        }
    }

    /** The class path without the classes that the sources define. */
    private static String libraries() {
        return Stream.of(System.getProperty("java.class.path").split(":", -1))
                .filter(entry -> !Path.of(entry).toAbsolutePath().startsWith(ROOT) || entry.contains(CLIENT))
                .collect(Collectors.joining(":"));
    }
}
