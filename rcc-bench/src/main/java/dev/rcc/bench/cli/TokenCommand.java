package dev.rcc.bench.cli;

import dev.rcc.server.gateway.Users;
import dev.rcc.transport.handshake.ClusterSecret;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code rcc token}: draws a secret for a client, and the hash that servers keep; or a secret for the nodes of a cluster. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Draws a token for a client, and prints its hash for the servers' configuration.",
        description = {
            "",
            "The token is for the client alone: servers have only its hash, in 'users'. For an existing token,"
                    + " 'printf %%s TOKEN | sha256sum' prints the hash.",
            "",
            "With --cluster-secret, it draws a secret for the nodes of a cluster instead, and prints nothing else:"
                    + " '(umask 077; rcc token --cluster-secret > FILE)' makes a file for 'secret-file'.",
            ""
        })
final class TokenCommand implements Callable<Integer> {
    private static final int RANDOM_BYTES = 32;

    @Option(
            names = "--cluster-secret",
            description = "Draw a secret that the nodes of a cluster share, for their 'secret-file'.")
    private boolean isForNodes;

    @Spec
    private CommandSpec spec;

    TokenCommand() {}

    @Override
    public Integer call() {
        if (isForNodes) {
            spec.commandLine().getOut().println(ClusterSecret.draw());
            return Rcc.OK;
        }
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        PrintWriter out = spec.commandLine().getOut();
        out.println("token: " + token);
        out.println("users: NAME sha256=" + Users.hash(token) + " read:*");
        return Rcc.OK;
    }
}
