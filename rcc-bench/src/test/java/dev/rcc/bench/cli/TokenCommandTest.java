package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.server.gateway.Users;
import dev.rcc.server.process.ServerConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TokenCommandTest {
    @Test
    void shouldDrawATokenWhoseHashAServerTakes() {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        assertThat(Rcc.execute(out, out, "token")).isZero();
        List<String> lines = said.toString().lines().toList();
        String token = lines.get(0).replaceFirst("^token: ", "");
        String user = lines.get(1).replaceFirst("^users: ", "");
        assertThat(token).hasSizeGreaterThan(40);
        assertThat(user).contains("sha256=" + Users.hash(token));
        ServerConfig config =
                ServerConfig.of(Map.of("node", "0", "peers", "127.0.0.1:0", "client", "127.0.0.1:0", "users", user));
        assertThat(config.gateway().access().users().isOpen()).isFalse();
    }
}
