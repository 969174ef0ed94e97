package dev.rcc.core.protocol;

import dev.rcc.core.fabric.Atomicity;
import java.util.Optional;

/**
 * A stage's change of a word that other nodes change, too, and the means of the change. A protocol states these for
 * every stage in both forms; {@link #conflict} then decides whether a hybrid code is admissible on a network, for all
 * protocols alike.
 *
 * @param word the word
 * @param by the means
 */
public record WordChange(SharedWord word, By by) {
    /** The means by which a word is changed. */
    public enum By {
        /** The owner's CPU, in an RPC handler or an event loop. */
        OWNER_CPU,
        /** A remote CAS or FETCH_ADD. */
        REMOTE_ATOMIC,
        /** A remote WRITE by the exclusive holder of the word. */
        REMOTE_WRITE
    }

    /**
     * Checks whether a hybrid code can run under an atomicity.
     *
     * @return the reason, which is the protocol's own ({@link Protocol#refusal}) or names the word and the two stages; or empty when the code is
     *     admissible
     */
    public static Optional<String> conflict(Protocol protocol, HybridCode code, Atomicity atomicity) {
        Optional<String> refusal = protocol.refusal(code);
        if (refusal.isPresent() || atomicity == Atomicity.GLOBAL) {
            return refusal;
        }
        if (atomicity == Atomicity.NONE) {
            return anyRemoteAtomic(protocol, code);
        }
        for (int cpu = 0; cpu < protocol.stages().size(); cpu++) {
            for (WordChange change : protocol.changes(cpu, code.primitive(cpu))) {
                if (change.by() == By.OWNER_CPU) {
                    Optional<String> conflict = remoteAtomicOn(change.word(), cpu, protocol, code);
                    if (conflict.isPresent()) {
                        return conflict;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> anyRemoteAtomic(Protocol protocol, HybridCode code) {
        for (int stage = 0; stage < protocol.stages().size(); stage++) {
            for (WordChange change : protocol.changes(stage, code.primitive(stage))) {
                if (change.by() == By.REMOTE_ATOMIC) {
                    return Optional.of("code " + code + " of " + protocol.name() + " changes the " + change.word()
                            + " by remote atomics in stage " + protocol.stages().get(stage)
                            + ", and remote atomics of the two networks are not atomic against each other");
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> remoteAtomicOn(SharedWord word, int cpu, Protocol protocol, HybridCode code) {
        WordChange atomic = new WordChange(word, By.REMOTE_ATOMIC);
        for (int stage = 0; stage < protocol.stages().size(); stage++) {
            if (protocol.changes(stage, code.primitive(stage)).contains(atomic)) {
                return Optional.of("code " + code + " of " + protocol.name() + " changes the " + word
                        + " by the owner's CPU in stage " + protocol.stages().get(cpu)
                        + " and by remote atomics in stage "
                        + protocol.stages().get(stage)
                        + ", and this network's remote atomics are not atomic against the CPU");
            }
        }
        return Optional.empty();
    }
}
