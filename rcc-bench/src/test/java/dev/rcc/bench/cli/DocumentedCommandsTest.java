package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

import dev.rcc.core.testing.PageCommand;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the program takes each command that the README and the pages below docs show. */
class DocumentedCommandsTest {
    private final CommandLines commandLines = new CommandLines();

    @TempDir
    private Path directory;

    @Test
    void shouldTakeEachCommandOfThePages() throws IOException {
        Path changes = SourceTree.root().resolve("CHANGELOG.md"); // which names what is gone
        List<String> refused = new ArrayList<>();
        int commands = 0;
        for (Path page : SourceTree.pages()) {
            if (!page.equals(changes)) {
                commands += PageCommand.in(page).size();
                refused.addAll(refused(page));
            }
        }
        assertThat(commands).isGreaterThan(200);
        assertThat(refused).isEmpty();
    }

    // Goal: whoever renames an option finds the lines that name it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "./rcc bench --protokol occ             | unknown option '--protokol'",
                "./rcc bench --protocol ocx             | --protocol: got 'ocx'",
                "./rcc bench -P accounts=1 --workload ycsb | -P accounts: there is no such key",
                "./rcc bench -O mvcc.versions=2         | -O: got 'mvcc.versions=2'",
                "./rcc bench --costs nicSendNanos=1     | --costs: got 'nicSendNanos=1', allowed: only with --fabric sim",
                "./rcc bench --cluster c1 --nodes 4     | --nodes: got '4', allowed: nothing with --cluster",
                "./rcc bench --history h.json           | --history: allowed:",
                "./rcc tune --repeat 3                  | unknown option '--repeat'",
                "./rcc bench && ./rcc clusters up       | unknown command 'clusters'",
                "./rcc cluster up --fabric udp          | --fabric: got 'udp'",
                "./rcc cluster up --code 3              | code: got '3'",
                "./rcc cluster up --tables a:long       | tables: got 'a:long'",
                "./rcc cluster faults --random 7 --fault kill | --fault: got 'kill', allowed: nothing with --random",
                "./rcc verify --locks all --code rpc    | --code: got 'rpc', allowed: only for protocols",
                "./rcc verify --protocol mvcc --code 2  | --code: ",
                "./rcc check h.json --format json       | --format: got 'json', allowed: only with --export",
                "./rcc paper rcc --section 99           | --section: got '99'",
                "./rcc bench-locks --alpha 2 --trace tpcc | --alpha: got '2'",
                "./rcc server --lease-ms 1              | lease-ms: got '1'",
                "./rcc client --format 'json lines'     | --format: got 'json lines'",
                "./rcc ycsb load -Q x                   | unknown option '-Q'",
                "./rcc token --hash                     | unknown option '--hash'",
                "./rcc jmh NoSuchBenchmark              | no benchmark is called 'NoSuchBenchmark'",
                "./rcc jmh -nosuch                      | rcc jmh: ",
                "./rcc lab --chek                       | unknown option '--chek'",
                "./rcc lab ./rcc bench --protokol occ   | unknown option '--protokol'",
            })
    void shouldNamePageLineAndFaultOfACommandThatIsRefused(String command, String fault) throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), """
                # A page
                In short, `%s`.

                ```sh
                ./rcc demo            # first
                %s   > out.txt   # then
                ```
                """.formatted(command, command));
        assertThat(refused(page))
                .hasSize(2)
                .allMatch(line -> line.contains(fault))
                .satisfies(inline -> assertThat(inline).startsWith("page.md:2: "), atIndex(0))
                .satisfies(inBlock -> assertThat(inBlock).startsWith("page.md:6: "), atIndex(1));
    }

    // Goal: running text may name a command without what it needs, and leave a value to the reader; a block may not.
    @Test
    void shouldTakeInlineCodeThatOnlyNamesACommand() throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), """
                `./rcc check`, `./rcc bench --cluster`, `./rcc bench --seed N --json FILE`, `./rcc paper` and `rcc server`;
                `./rcc ...`; `rcc.outcomes`
                ```
                rcc> scan t
                rcc client: line 1: scan: table: got 't'
                ./rcc check
                ```
                """);
        assertThat(refused(page)).singleElement().asString().startsWith("page.md:6: ./rcc check: ");
    }

    private List<String> refused(Path page) throws IOException {
        List<String> refused = new ArrayList<>();
        for (PageCommand command : PageCommand.in(page)) {
            boolean isOnlyNamed = command.block() == 0 && commandLines.isOnlyNamed(command.words());
            if (!isOnlyNamed) {
                commandLines.refusal(command.words()).ifPresent(why -> refused.add(command + ": " + why));
            }
        }
        return refused;
    }
}
