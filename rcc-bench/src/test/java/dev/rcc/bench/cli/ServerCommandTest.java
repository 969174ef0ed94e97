package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that {@code rcc server} refuses. */
class ServerCommandTest {
    @TempDir
    private Path directory;

    private String refused(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("node.yaml"), yaml);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Rcc.execute(
                new PrintWriter(out), new PrintWriter(err), "server", "--config", file.toString(), "--print-config");
        assertThat(code).isEqualTo(Rcc.BAD_INPUT);
        assertThat(out.toString()).isEmpty();
        return err.toString();
    }

    // Goal: an operator who writes a unit for a supervisor finds the exit codes where 'rcc --help' says that they are.
    @Test
    void shouldListInItsHelpTheExitCodesThatOtherCommandsDoNotHave() {
        StringWriter out = new StringWriter();
        assertThat(Rcc.execute(new PrintWriter(out), new PrintWriter(out), "server", "--help"))
                .isEqualTo(Rcc.OK);
        assertThat(out.toString()).contains("Exit codes: 143 it ended after SIGTERM, 130 after Ctrl-C");
    }

    @Test
    void shouldRefuseAKeyThatIsGivenWithDotsAndNested() throws IOException {
        assertThat(refused("node: 0\npeers: 127.0.0.1:7000\ntcp.host: 127.0.0.1\ntcp: {port: 1, host: localhost}\n"))
                .startsWith("rcc server: tcp.host: given more than once");
    }

    // Goal: a list of users that came out empty, as a template may make it, does not admit everybody.
    @Test
    void shouldRefuseAnEmptyListOfUsers() throws IOException {
        assertThat(refused("node: 0\npeers: 127.0.0.1:7000\nusers: []\n"))
                .startsWith("rcc server: users: got '', allowed: a user at least");
    }
}
