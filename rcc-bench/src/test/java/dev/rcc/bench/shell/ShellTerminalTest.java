package dev.rcc.bench.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellTerminalTest {
    private static List<String> after(String... words) {
        return ShellTerminal.candidates(List.of(words), List.of("accounts", "names"))
                .toList();
    }

    @Test
    void shouldCompleteCommandsAndTables() {
        assertThat(after()).contains("begin", "get", "scan", "exit");
        assertThat(after("get")).containsExactly("accounts", "names");
        assertThat(after("get", "accounts")).isEmpty();
        assertThat(after("get", "accounts", "1")).containsExactly("update");
        assertThat(after("scan", "accounts", "1")).containsExactly("limit", "descending");
        assertThat(after("help")).contains("scan");
        assertThat(after("timing")).containsExactly("on", "off");
        assertThat(after("tables")).isEmpty();
        assertThat(after("nonsense")).isEmpty();
    }

    @Test
    void shouldCompleteTheCommandBehindASemicolon() {
        assertThat(after("begin;")).contains("begin", "get");
        assertThat(after("begin;", "put")).containsExactly("accounts", "names");
    }
}
