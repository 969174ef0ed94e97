package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Networks of namespaces, whose {@code ip} only records its arguments. */
class NamespacesTest {
    private static final Namespaces.Ran DONE = new Namespaces.Ran(0, "");

    private final List<String> commands = new ArrayList<>();

    /** Gives this answer to commands that contain this text; all others succeed. */
    private Namespaces.Ip ip(String text, Namespaces.Ran answer) {
        return arguments -> {
            String command = String.join(" ", arguments);
            commands.add(command);
            return command.contains(text) ? answer : DONE;
        };
    }

    @Test
    void shouldRemoveNothingOfTheNetworkOfAnotherCommandThatWasFaster() {
        Namespaces.Ip ip = ip("-switch", new Namespaces.Ran(1, "File exists"));

        assertThatThrownBy(() -> Namespaces.create(2, ip))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("File exists");
        assertThat(commands).singleElement().asString().startsWith("netns add rcc-");
    }

    @Test
    void shouldRemoveWhatThereIsOfANetworkThatCannotBeMadeWhole() {
        Namespaces.Ip ip = ip("alias", new Namespaces.Ran(2, "no aliases"));

        assertThatThrownBy(() -> Namespaces.create(2, ip))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no aliases");
        assertThat(commands)
                .filteredOn(command -> command.contains("delete"))
                .hasSize(5)
                .last()
                .asString()
                .endsWith("-switch");
    }

    // After a restart of the machine, a new network has the number that the file of an earlier cluster names.
    @Test
    void shouldNotRemoveALaterNetworkOfTheSameNumber() throws Exception {
        Namespaces.Ip ip = ip("show", new Namespaces.Ran(0, "7: rcc3-0: <UP> alias later"));

        new Namespaces(3, 2, "earlier").remove(ip);

        assertThat(commands).containsExactly("-o link show dev rcc3-0", "-o link show dev rcc3-1");
    }

    @Test
    void shouldRemoveItsNetwork() throws Exception {
        Namespaces.Ip ip = ip("show dev rcc3-1", new Namespaces.Ran(0, "8: rcc3-1: <UP> alias mine"));

        new Namespaces(3, 2, "mine").remove(ip);

        assertThat(commands)
                .endsWith(
                        "netns delete rcc-3-0",
                        "netns delete rcc-3-1",
                        "link delete rcc3-0",
                        "link delete rcc3-1",
                        "netns delete rcc-3-switch");
    }
}
