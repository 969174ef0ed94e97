package dev.rcc.server.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class ControlRpcTypeTest {
    /** The class that the interface of appenders loads when it is initialized, and that no other class loads. */
    private static final String DEFAULT_APPENDER = "org.apache.ratis.server.leader.LogAppenderDefault";

    /** A loader with its own classes of Ratis and of this package, like a process that has just started. */
    private static final class FreshClasses extends ClassLoader {
        FreshClasses() {
            super(ControlRpcTypeTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean isFresh = name.startsWith("org.apache.ratis.") || name.startsWith("dev.rcc.server.consensus.");
            if (!isFresh) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        boolean hasLoaded(String name) {
            return findLoadedClass(name) != null;
        }
    }

    // Goal: two groups that elect their first leaders at the same moment do not wait for each other's classes for ever.
    @Test
    void shouldInitializeTheInterfaceOfAppendersBeforeThereIsAGroup() throws ClassNotFoundException {
        FreshClasses classes = new FreshClasses();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            Class<?> type = Class.forName(ControlRpcType.class.getName(), false, classes);
            assertThat(classes.hasLoaded(DEFAULT_APPENDER)).as("before").isFalse();
            Class<?> _ = Class.forName(type.getName(), true, classes);
            assertThat(classes.hasLoaded(DEFAULT_APPENDER)).as("then").isTrue();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
