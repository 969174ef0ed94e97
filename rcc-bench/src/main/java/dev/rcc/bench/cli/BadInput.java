package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Bad input in one line: the option, its fault, the value given, the values allowed. */
final class BadInput {
    private BadInput() {}

    static String oneLine(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String what = switch (e) {
            case UnmatchedArgumentException unmatched ->
                unmatched(command, unmatched.getUnmatched().getFirst());
            case MissingParameterException missing -> missing(missing.getMissing());
            case OverwrittenOptionException twice -> name(twice.getOverwritten()) + ": given more than once";
            default -> e.getMessage();
        };
        return command.getCommandSpec().qualifiedName() + ": " + what.replace('\n', ' ');
    }

    private static String unmatched(CommandLine command, String given) {
        boolean isOption = given.startsWith("-");
        if (!isOption && command.getSubcommands().isEmpty()) {
            return "unexpected argument '" + given + "', allowed: " + optionNames(command.getCommandSpec());
        }
        return isOption
                ? "unknown option '" + given + "', allowed: " + optionNames(command.getCommandSpec())
                : "unknown command '" + given + "', allowed: "
                        + String.join(", ", command.getSubcommands().keySet());
    }

    private static String missing(List<ArgSpec> missing) {
        ArgSpec arg = missing.getFirst();
        String allowed = arg.userObject() instanceof Option option ? ", allowed: " + option.allowed() : "";
        return name(arg) + ": no value given" + allowed;
    }

    private static String optionNames(CommandSpec spec) {
        return spec.options().stream().map(BadInput::name).collect(Collectors.joining(", "));
    }

    private static String name(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }
}
