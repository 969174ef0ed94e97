package dev.rcc.bench.verify.clients;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts how often simulated clients came to situations that are hard to handle. Used by one thread. */
public final class ClientWindows {
    /** The reply to a commit that took effect was lost, and the client found out the outcome. */
    static final String ANSWER_LOST = "answer lost, commit found";
    /** The outcome of a commit was asked for, and the commit was refused, as it had not arrived. */
    static final String REFUSED = "commit refused by a question";
    /** A commit that had taken effect was sent again. */
    static final String SENT_AGAIN = "commit sent again after it took effect";
    /** A call that had taken effect was sent again, and the reply had its result. */
    static final String CALLED_AGAIN = "call sent again after it took effect";
    /** The gateway to which a commit was sent had died when another gateway replied with the outcome. */
    static final String GATEWAY_DEAD = "outcome told after the gateway's death";
    /** An attempt that met a conflict was repeated, and the client did not notice. */
    static final String REPLAYED = "transaction replayed for its client";

    /** The windows that sufficiently many trials of clients come to. */
    public static final List<String> ALL =
            List.of(ANSWER_LOST, REFUSED, SENT_AGAIN, CALLED_AGAIN, GATEWAY_DEAD, REPLAYED);

    private final Map<String, Long> counts = new LinkedHashMap<>();

    void hit(String window) {
        counts.merge(window, 1L, Long::sum);
    }

    /** The counts by window; windows that never occurred are left out. */
    public Map<String, Long> counts() {
        return new LinkedHashMap<>(counts);
    }
}
