package dev.rcc.bench.driver;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** What a process has used of the processors. */
public final class CpuTime {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    private CpuTime() {}

    /** Nanoseconds of all threads of this process, the JVM's own included, since it began. */
    public static long ofThisProcess() {
        return SYSTEM.getProcessCpuTime();
    }

    /**
     * Milliseconds that the JIT compilers of this process have worked since it began, each counted when its method is compiled; 0 if the JVM has no
     * compiler or does not count.
     */
    public static long compileMillisOfThisProcess() {
        return COMPILERS != null && COMPILERS.isCompilationTimeMonitoringSupported()
                ? COMPILERS.getTotalCompilationTime()
                : 0;
    }
}
