package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import java.time.Instant;
import java.util.Objects;

/**
 * What is needed to ask later what became of a commit. To be kept as long as the answer matters; the gateway remembers outcomes
 * for a while, not for ever.
 *
 * @param id the commit's id
 * @param gateway the address of the gateway that it was sent to
 * @param incarnation which gateway at that address it was
 * @param sent when it was sent, by this machine's clock
 */
public record CommitTicket(CommitId id, String gateway, long incarnation, Instant sent) {
    /** Checks that nothing is missing. */
    public CommitTicket {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(gateway, "gateway");
        Objects.requireNonNull(sent, "sent");
    }
}
