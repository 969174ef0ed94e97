package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.verbs.Comparison;
import dev.rcc.bench.verbs.MeasurementFailed;
import dev.rcc.bench.verbs.VerbsBenchConfig;
import dev.rcc.bench.verbs.VerbsRig;
import dev.rcc.bench.verbs.VerbsTest;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rcc bench-verbs}: RCC's RDMA verbs against perftest's. */
@Command(
        name = "bench-verbs",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Measures RCC's RDMA verbs against perftest's, in turn, and prints the ratio.",
        description = {
            "",
            "Needs an RDMA device and the package perftest. Each measurement is made by two processes on this machine: by"
                    + " perftest's client and server, then by two JVMs that post the same messages and measure them in the"
                    + " same way, or the other way round. A JVM runs each test for a while before it is measured. Without"
                    + " an RDMA device: ./rcc lab ./rcc bench-verbs",
            ""
        })
final class BenchVerbsCommand implements Callable<Integer> {
    private static final String ALL = "all";

    private static final Option DEVICE = Option.text(
            "--device", "", "the name of an RDMA device; ibv_devices lists them", "The device; the first by default.");
    private static final Option GID_INDEX = Option.integer(
            "--gid-index",
            -1,
            -1,
            255,
            "",
            "Index of the port's GID; -1 is the best, IPv4 by RoCE v2 if the port has one.");
    private static final Option TESTS = Option.text(
            "--tests",
            ALL,
            "all, or one or several, with commas, of " + String.join(", ", VerbsTest.programs()),
            "Tests to run.");
    private static final Option SIZES = Option.text(
            "--sizes",
            "8,64",
            "one or several integers from 1 to 65536, with commas",
            "Sizes of the messages in bytes; atomics always have 8.");
    private static final Option REPETITIONS =
            Option.integer("--repetitions", 5, 1, 1000, "", "How often perftest and RCC each run each test.");
    private static final Option LATENCY_MESSAGES =
            Option.integer("--latency-messages", 1000, 10, 1_000_000, "", "Messages of a latency test.");
    private static final Option RATE_MESSAGES =
            Option.integer("--rate-messages", 5000, 100, 1_000_000, "", "Messages of a rate test.");
    private static final Option STRICT = Option.flag("--strict", "Exit code 1 if a goal is missed.");
    private static final Option JSON =
            Option.text("--json", "", "a file that can be written", "File for all figures as one JSON object.");

    private static final OptionTable TABLE = new OptionTable(
            "", List.of(DEVICE, GID_INDEX, TESTS, SIZES, REPETITIONS, LATENCY_MESSAGES, RATE_MESSAGES, STRICT, JSON));

    private static final int SIZE_MAX = 65_536;

    private final VerbsRig rig;

    @Spec
    private CommandSpec spec;

    private BenchVerbsCommand(VerbsRig rig) {
        this.rig = rig;
    }

    static CommandLine commandLine(VerbsRig rig) {
        return CommandOptions.command(
                new BenchVerbsCommand(rig),
                TABLE,
                "Exit codes: 0 measured; 1 it could not be measured, or --strict and a goal was missed; 2 bad input.",
                "",
                "Examples:",
                "  rcc bench-verbs",
                "  rcc bench-verbs --tests ib_read_lat,ib_atomic_lat --repetitions 9 --json verbs.json",
                "  rcc lab ./rcc bench-verbs");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            Map<String, String> given = CommandOptions.given(spec.commandLine().getParseResult(), TABLE);
            OptionValues values = TABLE.parse(given);
            List<VerbsTest> tests = tests(values);
            List<Integer> sizes = sizes(values);
            Optional<Path> json = OutputFiles.of(given, JSON).file(JSON);
            List<String> devices = rig.devices();
            if (devices.isEmpty()) {
                return fail(
                        "there is no RDMA device on this machine; in the lab there is one: ./rcc lab ./rcc bench-verbs");
            }
            VerbsBenchConfig config = new VerbsBenchConfig(
                    device(values, devices),
                    tests,
                    sizes,
                    values.intValue(REPETITIONS),
                    values.intValue(LATENCY_MESSAGES),
                    values.intValue(RATE_MESSAGES));
            return measure(config, values, json);
        } catch (VerbsUnavailable | VerbsException | MeasurementFailed e) {
            return fail(e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int measure(VerbsBenchConfig config, OptionValues values, Optional<Path> json)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(BenchVerbsReport.header(config));
        out.flush();
        List<Comparison> comparisons = rig.run(config, values.intValue(GID_INDEX), comparison -> {
            out.print(BenchVerbsReport.line(comparison));
            out.flush();
        });
        out.print(BenchVerbsReport.footer(comparisons));
        out.flush();
        if (json.isPresent()) {
            Files.writeString(json.get(), BenchVerbsReport.json(config, comparisons, Manifest.here()));
        }
        boolean isMissed = !comparisons.stream().allMatch(Comparison::isGoalMet);
        return isMissed && values.text(STRICT).equals(Option.ON) ? Rcc.FAILED : Rcc.OK;
    }

    private int fail(String why) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + why.replace('\n', ' '));
        return Rcc.FAILED;
    }

    private static String device(OptionValues values, List<String> devices) {
        String given = values.text(DEVICE);
        if (given.isEmpty()) {
            return devices.getFirst();
        }
        if (!devices.contains(given)) {
            throw values.refuse(DEVICE, String.join(", ", devices));
        }
        return given;
    }

    private static List<VerbsTest> tests(OptionValues values) {
        if (values.text(TESTS).equals(ALL)) {
            return List.of(VerbsTest.values());
        }
        List<String> given = List.of(values.text(TESTS).split(",", -1));
        if (!VerbsTest.programs().containsAll(given)) {
            throw values.refuse(TESTS, TESTS.allowed());
        }
        return Arrays.stream(VerbsTest.values())
                .filter(test -> given.contains(test.program()))
                .toList();
    }

    private static List<Integer> sizes(OptionValues values) {
        try {
            List<Integer> sizes = Arrays.stream(values.text(SIZES).split(",", -1))
                    .map(Integer::valueOf)
                    .toList();
            if (sizes.stream().allMatch(size -> size >= 1 && size <= SIZE_MAX)) {
                return sizes;
            }
        } catch (NumberFormatException e) {
            throw values.refuse(SIZES, SIZES.allowed());
        }
        throw values.refuse(SIZES, SIZES.allowed());
    }
}
