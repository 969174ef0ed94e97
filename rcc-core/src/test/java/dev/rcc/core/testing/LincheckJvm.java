package dev.rcc.core.testing;

import java.util.List;
import java.util.stream.Stream;

/**
 * Runs a class's Lincheck checks in a JVM of its own. Lincheck rewrites every class that is loaded, which takes a minute in a JVM that has run other
 * tests. Each build runs two of these checks, which its seed draws.
 */
public final class LincheckJvm {
    /** The subject of a check. */
    public enum Subject {
        /** The index of a table, which several workers change. */
        INDEX,
        /** The lock word of NOWAIT. */
        NOWAIT,
        /** The lock words of WAITDIE. */
        WAITDIE,
        /** The ticket lock of DSLR. */
        DSLR
    }

    private static final List<String> ALL =
            Stream.of(Subject.values()).map(Subject::name).toList();
    private static final int IN_A_BUILD = 2;

    private LincheckJvm() {}

    /** Runs the main method of a class, which checks a subject; skips the test if the build has not drawn the subject. */
    public static void run(Subject subject, Class<?> main) throws Exception {
        BuildDraw.assumeDrawn("Lincheck", subject.name(), ALL, IN_A_BUILD);
        String _ = ForkedJvm.run(
                main,
                "-ea",
                "-XX:+EnableDynamicAgentLoading",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/java.lang=ALL-UNNAMED");
    }
}
