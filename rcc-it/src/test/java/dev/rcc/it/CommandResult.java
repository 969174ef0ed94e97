package dev.rcc.it;

import dev.rcc.bench.cli.Rcc;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/** An {@code rcc} command that has ended. */
record CommandResult(List<String> command, int exitCode, String out, String err) {

    /** Runs the command in this JVM, which has started already. The directory that it runs in is this JVM's. */
    static CommandResult here(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Rcc.execute(new PrintWriter(out), new PrintWriter(err), arguments);
        return new CommandResult(List.of(arguments), exitCode, out.toString(), err.toString());
    }

    /** Runs the command in a process of its own, in a directory. */
    static CommandResult ofProcess(Path directory, String... arguments) throws IOException, InterruptedException {
        RccProcess process = RccProcess.run(directory, arguments);
        return new CommandResult(List.of(arguments), process.exitCode(), process.out(), process.err());
    }

    @Override
    public String toString() {
        return command + ", which said\n" + out + err;
    }
}
