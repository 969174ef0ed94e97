package dev.rcc.transport.handshake;

import java.util.List;

/** The secrets that hold now. May be asked on any thread, at any time, and must not block. */
@FunctionalInterface
public interface ClusterSecrets {
    /** No secret: a process that reaches a port and knows the cluster's name can be a peer. For nodes whose addresses no other process reaches. */
    ClusterSecrets NONE = of("nobody keeps this text a secret, as all of its readers know");

    /** The secrets, at least one: the first is what this node proves, the others are accepted, too. */
    List<ClusterSecret> current();

    /** One secret for good. */
    static ClusterSecrets of(String text) {
        List<ClusterSecret> secrets = List.of(ClusterSecret.of(text));
        return () -> secrets;
    }

    /** One that was just drawn, for nodes of one process. */
    static ClusterSecrets drawn() {
        return of(ClusterSecret.draw());
    }
}
