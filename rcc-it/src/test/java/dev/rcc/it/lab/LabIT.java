package dev.rcc.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.it.LongTest;
import dev.rcc.it.lab.Lab.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lab's promises to the user that runs a command in it. */
class LabIT {
    private static final String ODD_WORDS = "two  words, 'single' \"double\" $HOME `id` \\n *\nand a line";

    // Prints a lot, in ways that must not matter, and leaves a process behind that would hold the output
    // open.
    private static final String TALKATIVE = """
        printf '%s|%s|%s|' "$1" "$RCC_LAB_TEST" "$(pwd)"
        printf 'redirected|' > /dev/stdout
        echo complaint >&2
        printf 'more\\n' > /dev/stderr
        ulimit -l
        ibv_devinfo | grep -o PORT_ACTIVE
        echo kept > kept
        echo lost > /tmp/lost
        (echo x > "$HOME/x") 2>/dev/null || (echo x > /etc/x) 2>/dev/null || echo read-only
        date +%s
        sleep 1000 &
        printf 'no end of line'
        exit 7
        """;

    @TempDir
    private static Path directory;

    private static long beganSeconds;
    private static Lab talkative;
    private static Lab crashing;

    // Two guests at once, since both take long to boot.
    @BeforeAll
    static void startGuests() throws Exception {
        LongTest.LAB.assumeDrawn();
        Lab.assumeReady(directory);
        // The first guest ever finds out whether KVM works, and reports it. It need not come up for that.
        Lab.start(directory, Map.of(), "--boot-timeout=1", "true").await();
        beganSeconds = now();
        talkative = Lab.start(
                directory,
                Map.of("RCC_LAB_TEST", ODD_WORDS),
                "--timeout=600",
                "--",
                "/bin/sh",
                "-c",
                TALKATIVE,
                "sh",
                ODD_WORDS);
        crashing = Lab.start(
                directory, Map.of(), "--timeout=600", "/bin/sh", "-c", "echo before; echo c > /proc/sysrq-trigger");
    }

    @AfterAll
    static void endGuests() {
        for (Lab lab : new Lab[] {talkative, crashing}) {
            if (lab != null) {
                lab.handle().destroy();
            }
        }
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    @Test
    void shouldRunTheCommandHereBesideADevice() throws Exception {
        Ended ended = talkative.await();
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(7);
        assertThat(ended.err().lines().filter(line -> !line.startsWith("rcc lab: the guest's clock went")))
                .as("but for the lab's own word that a busy host made it start the guest twice")
                .containsExactly("complaint", "more");
        assertThat(ended.err()).endsWith("more\n");
        String said = ODD_WORDS + "|" + ODD_WORDS + "|" + directory.toRealPath() + "|redirected|";
        assertThat(ended.out()).startsWith(said).endsWith("no end of line");
        List<String> lines = ended.out().substring(said.length()).lines().toList();
        assertThat(lines.subList(0, 3)).containsExactly("unlimited", "PORT_ACTIVE", "read-only");
        // A guest is set by a clock of whole seconds, and its own may be a little off.
        assertThat(Long.parseLong(lines.get(3))).isBetween(beganSeconds - 5, now() + 5);
        assertThat(directory.resolve("kept")).hasContent("kept");
        assertThat(Path.of("/tmp/lost")).doesNotExist();
    }

    @Test
    void shouldNotTakeAGuestThatDiedForASuccess() throws Exception {
        Ended ended = crashing.await();
        assertThat(ended.exitCode()).isEqualTo(125);
        assertThat(ended.out()).isEqualTo("before\n");
        assertThat(ended.err()).contains("Kernel panic", "the guest died while it ran the command");
    }

    @Test
    void shouldEndAGuestThatTakesTooLong() throws Exception {
        Lab lab = Lab.start(directory, Map.of(), "--timeout=2", "sleep", "1000");
        ProcessHandle emulator = lab.awaitEmulator();
        Ended ended = lab.await();
        assertThat(ended.exitCode()).isEqualTo(124);
        assertThat(ended.err()).contains("had not ended after 2 s (--timeout)");
        assertThat(emulator.isAlive()).isFalse();
    }

    @Test
    void shouldEndAGuestThatDoesNotBoot() throws Exception {
        Lab lab = Lab.start(directory, Map.of(), "--boot-timeout=1", "true");
        ProcessHandle emulator = lab.awaitEmulator();
        Ended ended = lab.await();
        assertThat(ended.exitCode()).isEqualTo(125);
        assertThat(ended.err()).contains("not ready after 1 s (--boot-timeout)");
        assertThat(emulator.isAlive()).isFalse();
    }

    @ParameterizedTest(name = "by SIG{0}")
    @ValueSource(strings = {"INT", "TERM", "KILL"})
    void shouldEndTheGuestWhenItIsEndedItself(String signal) throws Exception {
        Lab lab = Lab.start(directory, Map.of(), "--timeout=600", "sleep", "1000");
        ProcessHandle emulator = lab.awaitEmulator();
        assertThat(new ProcessBuilder(
                                "kill", "-" + signal, Long.toString(lab.handle().pid()))
                        .start()
                        .waitFor())
                .isZero();
        assertThat(lab.await().exitCode())
                .isEqualTo(Map.of("INT", 130, "TERM", 143, "KILL", 137).get(signal));
        Lab.awaitEnd(emulator);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "--cpus=none",
                "--memory=0",
                "--timeout=-1",
                "--accel=fast",
                "--write=/no/such",
                "--no-such-option"
            })
    void shouldRefuseBadOptionsByName(String option) throws Exception {
        Ended ended = Lab.start(directory, Map.of(), option, "true").await();
        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().strip())
                .hasLineCount(1)
                .contains(option.substring(0, (option + "=").indexOf("=")), "--help");
    }

    @Test
    void shouldExplainItself() throws Exception {
        Ended help = Lab.start(directory, Map.of(), "--help").await();
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).contains("Usage: rcc lab", "--here", "Exit code");
        Ended nothingToDo = Lab.start(directory, Map.of()).await();
        assertThat(nothingToDo.exitCode()).isEqualTo(2);
        assertThat(nothingToDo.err()).isEqualTo(help.out());
    }

    @Test
    void shouldNameThePackagesThatAreMissing() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        for (String program : List.of("sh", "dirname", "uname", "ls", "sort")) {
            Path file = programs.resolve(program);
            Files.writeString(file, "#!/bin/sh\nexec /bin/" + program + " \"$@\"\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        Ended ended = Lab.start(directory, Map.of("PATH", programs.toString()), "true")
                .await();
        assertThat(ended.exitCode()).isEqualTo(125);
        assertThat(ended.err()).contains("apt-get install", "qemu-system-x86", "busybox-static", "ibverbs-utils");
    }

    @Test
    void shouldRunTheCommandHereOnlyBesideADevice() throws Exception {
        Ended ended = Lab.start(directory, Map.of(), "--here", "/bin/sh", "-c", "echo $RCC_LAB; exit 7")
                .await();
        if (Files.isDirectory(Path.of("/sys/class/infiniband")) && ended.exitCode() == 7) {
            assertThat(ended.out()).isEqualTo("here\n");
        } else {
            assertThat(ended.exitCode()).isEqualTo(125);
            assertThat(ended.err()).contains("RDMA device");
            assertThat(ended.out()).isEmpty();
        }
    }

    @Test
    void shouldStartAnEmulatorAgainThatCrashesWhileTheGuestBoots() throws Exception {
        Path programs = Files.createDirectory(directory.resolve("crashing-emulator"));
        Path starts = programs.resolve("starts");
        Path emulator = programs.resolve("qemu-system-x86_64");
        Files.writeString(emulator, """
            #!/bin/sh
            case " $* " in *" -kernel "*) ;; *) exec /usr/bin/qemu-system-x86_64 "$@" ;; esac
            echo started >> '%s'
            kill -SEGV $$
            """.formatted(starts));
        assertThat(emulator.toFile().setExecutable(true)).isTrue();
        String path = programs + ":" + System.getenv("PATH");
        Ended ended =
                Lab.start(directory, Map.of("PATH", path), "/bin/echo", "never").await();
        assertThat(ended.exitCode()).isEqualTo(125);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .contains("QEMU has crashed (exit code 139) before the guest was ready: starting it again")
                .contains("the guest died before it ran the command (QEMU's exit code: 139)");
        assertThat(starts).hasContent("started\nstarted\nstarted\n");
    }
}
