package dev.rcc.server.procedure;

import dev.rcc.client.procedure.StoredProcedure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Makes jars as authors of stored procedures do. */
public final class ProcedureJar {
    private ProcedureJar() {}

    /** Writes a jar with these classes and the classes within them, and the first of them as its procedure. */
    public static void write(Path jar, Class<?> procedure, Class<?>... others) throws IOException {
        write(jar, procedure.getName(), procedure, others);
    }

    /** Writes a jar that lists procedures with these names, one a line. */
    public static void write(Path jar, String providers, Class<?> first, Class<?>... others) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/services/" + StoredProcedure.class.getName()));
            out.write(providers.getBytes(StandardCharsets.UTF_8));
            put(out, first);
            for (Class<?> each : others) {
                put(out, each);
            }
        }
    }

    private static void put(JarOutputStream out, Class<?> type) throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(path));
        try (InputStream in = type.getClassLoader().getResourceAsStream(path)) {
            in.transferTo(out);
        }
    }
}
