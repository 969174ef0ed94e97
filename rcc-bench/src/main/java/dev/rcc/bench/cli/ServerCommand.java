package dev.rcc.bench.cli;

import dev.rcc.bench.agent.BenchAgent;
import dev.rcc.bench.agent.BenchRequest;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.ClientDriver;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.server.NodeHost;
import dev.rcc.server.admin.AdminServer;
import dev.rcc.server.gateway.ServedGateway;
import dev.rcc.server.procedure.Procedures;
import dev.rcc.server.process.ServerConfig;
import dev.rcc.server.process.ServerOptions;
import dev.rcc.server.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc server}: one node of a cluster, in this process. */
@Command(
        name = "server",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Runs one node of a cluster in this process, until it is asked to end (SIGTERM).",
        description = {
            "",
            "The options are the keys of a YAML file, or flags of the same names, which override the file. All nodes"
                    + " have the same values, except for options of the node itself. The order in which nodes are"
                    + " started does not matter.",
            ""
        })
final class ServerCommand implements Callable<Integer> {
    private static final Option CONFIG = Option.text("config", "", "a YAML file", "file with any of the options below");
    private static final Option PRINT = Option.flag("print-config", "Print the whole configuration, and end.");
    private static final Option PARENT = Option.matching(
            "parent",
            "",
            Pattern.compile("[1-9][0-9]{0,17}"),
            "a process id",
            "end when this process has ended, as on SIGTERM");

    private static final OptionTable TABLE = new OptionTable("--", List.of(CONFIG, PRINT, PARENT));

    @Spec
    private CommandSpec spec;

    private ServerCommand() {}

    static CommandLine commandLine() {
        return CommandOptions.dashedCommand(
                new ServerCommand(),
                List.of(TABLE, ServerOptions.TABLE),
                "Exit codes: 143 it ended after SIGTERM, 130 after Ctrl-C; 0 it ended with the process of --parent;",
                "1 it could not start or go on, or cut transactions off when it ended with that process; 2 bad input.",
                "",
                "Example: the second of three nodes on one host",
                "  rcc server --node 1 --peers 127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002",
                "Example: the whole configuration of a file, with every default",
                "  rcc server --config node1.yaml --print-config");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ParseResult parsed = spec.commandLine().getParseResult();
        Map<String, String> own = CommandOptions.dashed(parsed, TABLE);
        ServerProcess process;
        try {
            TABLE.parse(own);
            Map<String, String> given = new LinkedHashMap<>();
            if (own.containsKey(CONFIG.key())) {
                given.putAll(YamlFile.read(Path.of(own.get(CONFIG.key()))));
            }
            given.putAll(CommandOptions.dashed(parsed, ServerOptions.TABLE));
            ServerConfig config = ServerConfig.of(given);
            if (own.containsKey(PRINT.key())) {
                spec.commandLine().getOut().print(YamlFile.write(config.effective()));
                return Rcc.OK;
            }
            process = new ServerProcess(
                    config, ServerCommand::addBenches, spec.commandLine().getOut());
        } catch (IllegalArgumentException e) {
            e.getMessage()
                    .lines()
                    .forEach(problem -> spec.commandLine().getErr().println("rcc server: " + problem));
            return Rcc.BAD_INPUT;
        }
        return process.run(own.getOrDefault(PARENT.key(), "")) ? Rcc.OK : Rcc.FAILED;
    }

    private static void addBenches(AdminServer admin, NodeHost host, ServerConfig config, ServedGateway gateway) {
        new BenchAgent(host, config.faults(), request -> asked(config, request), bench -> front(gateway, bench))
                .addTo(admin);
    }

    /** Admits a benchmark's clients as the server admits other clients, at the same address. */
    private static NodeHost.Front front(ServedGateway gateway, BenchConfig bench) {
        return gateway.standIn(
                options -> ClientDriver.withRoom(options, bench.load().orElseThrow()),
                Procedures.of(bench.workload().procedures()));
    }

    /** The benchmark that a driver asks for, on this process's network. */
    private static BenchConfig asked(ServerConfig config, BenchRequest request) {
        BenchConfig asked = BenchOptions.config(
                BenchOptions.TABLE.parse(request.options()), request.properties(), request.protocolOptions());
        if (asked.nodes() != config.peers().size()) {
            throw new IllegalArgumentException("--nodes: got '" + asked.nodes() + "', allowed: those of the cluster, "
                    + config.peers().size());
        }
        return asked;
    }
}
