package dev.rcc.server.procedure;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored procedures of a server, by name. Procedures in jars have a class loader of their own for each directory. It gives them the JDK, the
 * client library and SLF4J, and nothing else of the server.
 */
public final class Procedures implements AutoCloseable {
    /** No procedures. */
    public static final Procedures NONE = of(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(Procedures.class);
    private static final String SERVICE = "META-INF/services/" + StoredProcedure.class.getName();
    /** The rest of a line of the service's file that is no name. */
    private static final Pattern COMMENT = Pattern.compile("#.*");

    private final Map<String, StoredProcedure<?, ?>> byName;
    private final URLClassLoader loader;

    private Procedures(Map<String, StoredProcedure<?, ?>> byName, URLClassLoader loader) {
        this.byName = Map.copyOf(byName);
        this.loader = loader;
    }

    /**
     * The given procedures, for servers within a program.
     *
     * @throws IllegalArgumentException with a line for each problem
     */
    public static Procedures of(List<? extends StoredProcedure<?, ?>> procedures) {
        Collection all = new Collection();
        procedures.forEach(procedure -> all.add(procedure, "the program"));
        return all.finish("the procedures", null);
    }

    /**
     * All procedures of the jars in a directory.
     *
     * @throws IllegalArgumentException with a line for each problem
     */
    @SuppressWarnings("StreamResourceLeak") // closed with the procedures, or below
    public static Procedures load(Path directory) {
        List<Path> jars;
        try (Stream<Path> files = Files.list(directory)) {
            jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "procedures: " + directory + " cannot be listed (" + e + "): name a directory of jars", e);
        }
        Collection all = new Collection();
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                JarEntry service = file.getJarEntry(SERVICE);
                if (service != null) {
                    all.addProviders(file.getInputStream(service), jar.getFileName());
                }
                urls.add(jar.toUri().toURL());
            } catch (IOException e) {
                all.problem(jar.getFileName() + " is no jar that can be read: " + e.getMessage());
            }
        }
        if (all.providers == 0) {
            all.problem("no jar has a " + SERVICE + " that names a procedure");
        }
        URLClassLoader loader = new URLClassLoader("procedures", urls.toArray(URL[]::new), new Api());
        try {
            all.addAll(loader);
            Procedures procedures = all.finish("procedures: " + directory, loader);
            LOG.info(
                    "event=procedures_loaded procedures={} directory={}: {}",
                    procedures.names().size(),
                    directory,
                    procedures.names());
            return procedures;
        } catch (RuntimeException e) {
            close(loader);
            throw e;
        }
    }

    /** The classes of the server that procedures can load. */
    private static final class Api extends ClassLoader {
        Api() {
            super("procedures' api", getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("dev.rcc.client.") || name.startsWith("org.slf4j.")) {
                return StoredProcedure.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(
                    name + ": a procedure sees the JDK, dev.rcc.client, org.slf4j and its own jars");
        }
    }

    /** Collects procedures, and the problems with them. */
    private static final class Collection {
        private final Map<String, StoredProcedure<?, ?>> byName = new TreeMap<>();
        private final List<String> problems = new ArrayList<>();
        /** By class of a procedure: the jar that lists it. */
        private final Map<String, Path> jarOf = new HashMap<>();

        private int providers;

        void problem(String what) {
            problems.add(what);
        }

        /** Takes in the list of a jar's procedures. Of a class in two jars the class loader would take one, perhaps of an earlier version. */
        void addProviders(InputStream list, Path jar) throws IOException {
            providers++;
            String text = new String(list.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                String name = COMMENT.matcher(line).replaceFirst("").strip();
                Path other = name.isEmpty() ? null : jarOf.put(name, jar);
                if (other != null && !other.equals(jar)) {
                    problem(name + " is in " + other + " and in " + jar + ": remove one of the jars");
                }
            }
        }

        @SuppressWarnings("rawtypes")
        void addAll(ClassLoader loader) {
            Iterator<ServiceLoader.Provider<StoredProcedure>> found =
                    ServiceLoader.load(StoredProcedure.class, loader).stream().iterator();
            while (true) {
                String where = "a jar";
                try {
                    if (!found.hasNext()) {
                        return;
                    }
                    ServiceLoader.Provider<StoredProcedure> provider = found.next();
                    where = provider.type().getName();
                    add(provider.get(), where);
                } catch (ServiceConfigurationError e) {
                    problem(e.getMessage() + (e.getCause() == null ? "" : " (" + e.getCause() + ")"));
                } catch (LinkageError e) {
                    problem(where + " cannot be loaded: " + e);
                }
            }
        }

        void add(StoredProcedure<?, ?> procedure, String where) {
            ProcedureType<?, ?> type;
            try {
                type = procedure.type();
            } catch (RuntimeException | LinkageError e) {
                problem(where + ": its type() throws " + e);
                return;
            }
            if (type == null) {
                problem(where + ": its type() is null");
                return;
            }
            StoredProcedure<?, ?> other = byName.putIfAbsent(type.name(), procedure);
            if (other != null) {
                problem(where + ": " + other.getClass().getName() + " is called " + type.name() + ", too");
            }
        }

        Procedures finish(String what, URLClassLoader loader) {
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(what + ":\n  " + String.join("\n  ", problems));
            }
            return new Procedures(byName, loader);
        }
    }

    /** The procedure with this name, or null. */
    public StoredProcedure<?, ?> find(String name) {
        return byName.get(name);
    }

    /** The names, ascending. */
    public Set<String> names() {
        return new TreeMap<>(byName).keySet();
    }

    /** Closes the jars; called after the last procedure has run. */
    @Override
    public void close() {
        if (loader != null) {
            close(loader);
        }
    }

    private static void close(URLClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            LOG.warn("event=procedures_not_closed: a jar of procedures cannot be closed", e);
        }
    }
}
