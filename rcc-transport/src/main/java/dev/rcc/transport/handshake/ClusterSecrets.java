package dev.rcc.transport.handshake;

import java.util.List;

/** The secrets that are valid now. May be called on any thread, at any time, and must not block. */
@FunctionalInterface
public interface ClusterSecrets {
    /** No secret: a process that reaches a port and has the cluster's name can be a peer. For nodes whose addresses no other process reaches. */
    ClusterSecrets NONE = of("nobody keeps this text a secret, as all of its readers know");

    /** The secrets, at least one: this node proves the first one, and accepts the others, too. */
    List<ClusterSecret> current();

    /** One secret that never changes. */
    static ClusterSecrets of(String text) {
        List<ClusterSecret> secrets = List.of(ClusterSecret.of(text));
        return () -> secrets;
    }

    /** One newly drawn secret, for nodes of one process. */
    static ClusterSecrets drawn() {
        return of(ClusterSecret.draw());
    }
}
