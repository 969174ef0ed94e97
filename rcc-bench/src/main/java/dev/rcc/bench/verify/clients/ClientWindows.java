package dev.rcc.bench.verify.clients;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How often simulated clients have come to situations that are hard to survive. Used by one thread. */
public final class ClientWindows {
    /** Of a commit that had taken effect the answer was lost, and the client found out. */
    static final String ANSWER_LOST = "answer lost, commit found";
    /** A commit was asked for and refused, as it had not come. */
    static final String REFUSED = "commit refused by a question";
    /** A commit was sent again that had taken effect. */
    static final String SENT_AGAIN = "commit sent again after it took effect";
    /** A call was sent again that had taken effect, and was answered with its result. */
    static final String CALLED_AGAIN = "call sent again after it took effect";
    /** The gateway to which a commit was sent had died when another one answered with the outcome. */
    static final String GATEWAY_DEAD = "outcome told after the gateway's death";
    /** An attempt that met a conflict was made again, and the client did not notice. */
    static final String REPLAYED = "transaction replayed for its client";

    /** What enough trials of clients come to. */
    public static final List<String> ALL =
            List.of(ANSWER_LOST, REFUSED, SENT_AGAIN, CALLED_AGAIN, GATEWAY_DEAD, REPLAYED);

    private final Map<String, Long> counts = new LinkedHashMap<>();

    void hit(String window) {
        counts.merge(window, 1L, Long::sum);
    }

    /** How often, by window; those that were never come to are left out. */
    public Map<String, Long> counts() {
        return new LinkedHashMap<>(counts);
    }
}
