package dev.rcc.core.worker;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only place that gives a virtual thread a scheduler of RCC's own. The JDK has the constructor but does not export
 * it, so this needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}; without it, {@link #canSchedule} is false and
 * a warning says so once.
 */
public final class VirtualThreads {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualThreads.class);

    /** For tests of the fallback: {@code -Drcc.coroutines.scheduler=false} disables the scheduler. */
    private static final String SWITCH = "rcc.coroutines.scheduler";

    /**
     * While the JDK keeps track of all virtual threads, threads that are suspended for ever, such as a closed worker's,
     * are never collected. Nor is anything that they refer to: a whole cluster. The JDK reads this property once, at
     * the first virtual thread, so the launcher sets it too.
     */
    private static final String TRACK_ALL = "jdk.trackAllThreads";

    private static final MethodHandle CONSTRUCTOR = findConstructor();

    private VirtualThreads() {}

    /** Whether this JVM lets RCC schedule virtual threads itself. */
    public static boolean canSchedule() {
        return CONSTRUCTOR != null;
    }

    /**
     * A virtual thread that {@code scheduler} runs, slice by slice: each time it starts or goes on, the scheduler gets a
     * task that runs it, on the platform thread that runs the task, up to its next wait. Only if {@link #canSchedule}.
     */
    public static Thread unstarted(Executor scheduler, String name, Runnable task) {
        try {
            return (Thread) CONSTRUCTOR.invokeExact(scheduler, name, 0, task);
        } catch (Throwable e) {
            throw new IllegalStateException("cannot create a virtual thread on a worker", e);
        }
    }

    private static MethodHandle findConstructor() {
        if (System.getProperty(TRACK_ALL) == null) {
            System.setProperty(TRACK_ALL, "false");
        }
        if (!Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
            return null;
        }
        try {
            Class<?> virtualThread = Class.forName("java.lang.VirtualThread");
            return MethodHandles.privateLookupIn(virtualThread, MethodHandles.lookup())
                    .findConstructor(
                            virtualThread,
                            MethodType.methodType(void.class, Executor.class, String.class, int.class, Runnable.class))
                    .asType(MethodType.methodType(
                            Thread.class, Executor.class, String.class, int.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            LOG.warn(
                    "event=slow_coroutines: this JVM does not let RCC schedule virtual threads; start it with --add-opens java.base/java.lang=ALL-UNNAMED",
                    e);
            return null;
        }
    }
}
