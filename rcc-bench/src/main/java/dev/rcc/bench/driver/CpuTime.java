package dev.rcc.bench.driver;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processor time of a process. */
public final class CpuTime {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuTime() {}

    /** Nanoseconds of all threads of this process, the JVM's own included, since it began. */
    public static long ofThisProcess() {
        return SYSTEM.getProcessCpuTime();
    }
}
