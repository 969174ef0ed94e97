package dev.rcc.server.simulation;

import dev.rcc.server.recovery.RecoveryStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of times that a simulation has reached situations that are hard to survive and hard to reach. Used by one thread. */
public final class Windows {
    /** A node died with a transaction on its way to log rings, none of which had it. */
    public static final String ENTRY_NOWHERE = "entry on its way";
    /** A node died with a transaction that some of its log rings had, but not all. */
    public static final String ENTRY_SOMEWHERE = "entry in some rings";
    /** A node died with a transaction that all its log rings had, and that some backup did not have as decided. */
    public static final String ENTRY_EVERYWHERE = "entry in all rings";
    /** A node died that had marked a transaction as aborted in a log ring, and some backup did not have it as decided. */
    public static final String ENTRY_ABORTED = "aborted entry found";
    /** A backup asked for the outcome of a transaction that another backup had replayed, and still had in its ring. */
    public static final String ENTRY_REPLAYED = "entry replayed elsewhere";
    /** A backup asked for the outcome of a transaction that another backup had replayed, and no longer had in its ring. */
    public static final String ENTRY_OVERWRITTEN = "ring lapped";
    /** A node died with a transaction that had overwritten another one in a log ring, where the stamp of the overwritten one was left. */
    public static final String ENTRY_TORN = "entry without its stamp";
    /** A node died that had deleted a tuple and unlocked its slot, and had not freed the index entry; the primary had not logged it. */
    public static final String DELETE_UNFREED = "entry of a deleted tuple";
    /** A second node died before the other nodes had begun to take the first one out. */
    public static final String DEATH_TOGETHER = "second death at once";

    /** A node that was lost took part again, in another incarnation. */
    public static final String REJOINED = "rejoined";
    /** A node took part again that had died and come back before. */
    public static final String REJOINED_AGAIN = "rejoined again";
    /** A node began another incarnation before the other nodes took the former one out. */
    public static final String BACK_UNNOTICED = "back before its death was noticed";
    /** A node died that had come back, and had transactions under way again. */
    public static final String DEATH_AFTER_RETURN = "death with entries of another incarnation";

    /** A node lost its lease, and the other nodes counted it as dead, while it lived. */
    public static final String SUSPECTED = "suspected while it lives";
    /** A node lost its lease and was counted as dead, while it lived, and transactions that it had begun went on. */
    public static final String SUSPECTED_GOES_ON = "suspected node went on";

    /** All nodes of a zone died at once. */
    public static final String ZONE_LOST = "data centre lost";
    /** All nodes of a zone lost their leases, and the other nodes counted them as dead, while they lived. */
    public static final String ZONE_SUSPECTED = "data centre suspected while it lives";

    /** A link was cut while the nodes took one out. */
    public static final String CUT_IN_FAILOVER = "link cut in a failover";
    /** A link came back while a lock was held. */
    public static final String HEALED_WITH_LOCKS = "link healed with locks held";

    /** The situations of a transaction whose coordinator dies. */
    public static final List<String> IN_DOUBT =
            List.of(ENTRY_NOWHERE, ENTRY_SOMEWHERE, ENTRY_EVERYWHERE, ENTRY_ABORTED, ENTRY_REPLAYED, ENTRY_OVERWRITTEN);
    /** The situations of nodes that come back. */
    public static final List<String> OF_RETURNS = List.of(REJOINED, REJOINED_AGAIN, BACK_UNNOTICED, DEATH_AFTER_RETURN);
    /** The situations of nodes that are wrongly counted as dead. */
    public static final List<String> OF_SUSPICIONS = List.of(SUSPECTED, SUSPECTED_GOES_ON, REJOINED, REJOINED_AGAIN);
    /** The situations of zones. */
    public static final List<String> OF_ZONES = List.of(ZONE_LOST, ZONE_SUSPECTED, REJOINED, REJOINED_AGAIN);
    /** The situations of links. */
    public static final List<String> OF_CUTS = List.of(CUT_IN_FAILOVER, HEALED_WITH_LOCKS);

    private final Map<String, Long> counts = new LinkedHashMap<>();

    Windows() {}

    /** A node died after its transactions had just passed a stage. */
    public static String deathAfter(String stage) {
        return "death after " + stage;
    }

    /** A second node died while the other nodes took the first one out. */
    public static String deathIn(RecoveryStep step) {
        return "second death in " + step;
    }

    /** The node that the other nodes were taking in died. */
    public static String deathOfJoinerIn(RecoveryStep step) {
        return "joiner's death in " + step;
    }

    /** Another node died while one was taken in. */
    public static String deathInJoin(RecoveryStep step) {
        return "death in join, in " + step;
    }

    void hit(String window) {
        counts.merge(window, 1L, Long::sum);
    }

    /** The counts by window; a window that was never reached is left out. */
    public Map<String, Long> counts() {
        return new LinkedHashMap<>(counts);
    }
}
