package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.server.process.ServerConfig;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rcc doctor}: examines this machine. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Checks this machine for faults that slow or stop RCC, and prints remedies.",
        description = {
            "",
            "The JDK, limits of memory and files, huge pages, /dev/shm, RDMA devices, ports and the clock. The exit"
                    + " code is 1 if there is a problem; a note is no problem unless you use the feature that it"
                    + " names.",
            ""
        })
final class DoctorCommand implements Callable<Integer> {
    private static final Option CONFIG = Option.text(
            "--config",
            "",
            "a YAML file of 'rcc server'",
            "Also check whether this server's ports are free, and what the loss of a data centre does to its cluster.");
    private static final OptionTable TABLE = new OptionTable("", List.of(CONFIG));

    @Spec
    private CommandSpec spec;

    private DoctorCommand() {}

    static CommandLine commandLine() {
        return CommandOptions.command(new DoctorCommand(), TABLE);
    }

    @Override
    public Integer call() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        var given = CommandOptions.given(spec.commandLine().getParseResult(), TABLE);
        if (given.containsKey(CONFIG.key())) {
            try {
                ServerConfig config = ServerConfig.of(YamlFile.read(Path.of(given.get(CONFIG.key()))));
                addresses.add(config.listen());
                config.network().dataAddress().ifPresent(addresses::add);
                addresses.add(config.admin());
                addresses.add(new InetSocketAddress(
                        config.gateway().host(), config.gateway().port()));
                if (config.cluster().zones().areNamed()) {
                    findings.add(Doctor.datacenters(
                            config.cluster().zones(), config.cluster().replicas()));
                }
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec.commandLine(), e.getMessage().lines().findFirst().orElse(""), e);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        boolean isWell = true;
        findings.addAll(0, new Doctor(Path.of("/"), addresses).examine());
        for (Finding finding : findings) {
            isWell &= finding.level() != Finding.Level.PROBLEM;
            out.format(
                    Locale.ROOT,
                    "%-8s %-22s %s%n",
                    finding.level().name().toLowerCase(Locale.ROOT).replace("ok", "OK"),
                    finding.subject(),
                    finding.found());
            if (!finding.remedy().isEmpty()) {
                out.format(Locale.ROOT, "%-8s %-22s -> %s%n", "", "", finding.remedy());
            }
        }
        return isWell ? Rcc.OK : Rcc.FAILED;
    }
}
