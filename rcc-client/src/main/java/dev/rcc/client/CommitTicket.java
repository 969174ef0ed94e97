package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import java.time.Instant;
import java.util.Objects;

/**
 * Identifies a commit, to ask for its outcome later. Keep it as long as the outcome matters; the cluster keeps outcomes for a while, not for
 * ever.
 *
 * @param id the commit's id
 * @param gateway the address of the gateway that the commit was sent to
 * @param incarnation the incarnation of the gateway at that address
 * @param sent when the commit was sent, by this machine's clock
 */
public record CommitTicket(CommitId id, String gateway, long incarnation, Instant sent) {
    /** Checks that no object is null. */
    public CommitTicket {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(gateway, "gateway");
        Objects.requireNonNull(sent, "sent");
    }
}
