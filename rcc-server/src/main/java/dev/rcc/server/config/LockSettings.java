package dev.rcc.server.config;

import dev.rcc.core.protocol.Primitive;
import java.util.List;

/**
 * The locks that a cluster serves.
 *
 * @param namespaces their namespaces; empty if the cluster serves no locks
 * @param primitive how nodes reach the words of locks
 */
public record LockSettings(List<LockNamespace> namespaces, Primitive primitive) {
    /** No locks. */
    public static final LockSettings NONE = new LockSettings(List.of(), Primitive.ONE_SIDED);

    /** Copies the list. */
    public LockSettings {
        namespaces = List.copyOf(namespaces);
    }

    /** Whether the cluster serves no locks. */
    public boolean isEmpty() {
        return namespaces.isEmpty();
    }
}
