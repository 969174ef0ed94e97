package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class JmhCommandTest {
    @Test
    void shouldEndWithAFailureWhenABenchmarkFails() {
        StringWriter err = new StringWriter();

        int code = Rcc.execute(
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                "jmh LockBenchmark.lockAndUnlock -p manager=nosuch -p code=rpc -f 0 -wi 0 -i 1 -v SILENT"
                        .split(" ", -1));

        assertThat(code).isEqualTo(Rcc.FAILED);
        assertThat(err.toString()).startsWith("rcc jmh: the run failed: ").endsWith("\n");
        assertThat(err.toString().lines()).hasSize(1);
    }
}
