package dev.rcc.bench.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The log of this machine's kernel, as far as this process may read it. */
final class KernelLog {
    private KernelLog() {}

    /** Whether the log says that the kernel killed a process because memory ran out. False, too, if the log cannot be read. */
    static boolean hasKilledForMemory(long pid) {
        try {
            Process dmesg =
                    new ProcessBuilder("dmesg").redirectErrorStream(true).start();
            try (BufferedReader lines = dmesg.inputReader()) {
                return hasKilledForMemory(pid, lines.lines());
            } finally {
                dmesg.destroy();
            }
        } catch (IOException | UncheckedIOException e) {
            return false; // not on this system
        }
    }

    /** The same of given lines. */
    static boolean hasKilledForMemory(long pid, Stream<String> lines) {
        Pattern kill = Pattern.compile("ut of memory: Kill(?:ed)? process " + pid + " \\(");
        return lines.anyMatch(line -> kill.matcher(line).find());
    }
}
