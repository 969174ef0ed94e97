package dev.rcc.transport.sim;

import java.util.EnumMap;
import java.util.Map;

/** Counts the faults that a simulation has injected so far, by kind. */
public final class Faults {
    /** A kind of fault. */
    public enum Kind {
        /** A message was delayed. */
        DELAY("delays"),
        /** A READ or WRITE took effect in several pieces. */
        TORN("torn operations"),
        /** A READ or WRITE stopped half-way for a while. */
        STALL("stalls"),
        /** A line of a READ or WRITE took effect word by word. */
        TORN_LINE("torn lines"),
        /** READs in a row took effect in any order. */
        REORDERED("reordered READs"),
        /** A worker's CPU did something else for a while. */
        PAUSE("pauses"),
        /** A link between two nodes was cut. */
        PARTITION("partitions"),
        /** A link was cut in one direction. */
        ONE_WAY_PARTITION("one-way partitions"),
        /** Two zones lost each other: all links between them were cut. */
        SPLIT("splits"),
        /** All links from one zone to another were cut, but not the links back. */
        ONE_WAY_SPLIT("one-way splits"),
        /** An RPC's request or reply was lost, and is not sent again. */
        LOST_DATAGRAM("lost datagrams"),
        /** A call failed, and the peer served its request later. */
        LATE_CALL("late calls"),
        /** A batch had taken effect in part when it met a cut link. */
        CUT_OFF("batches cut off"),
        /** A message was lost on a link that is cut, and sent again. */
        LOST("lost messages"),
        /** A node stopped. */
        CRASH("crashes"),
        /** A node attached anew, with empty memory. */
        RESTART("restarts"),
        /** A node's wall clock was set. */
        CLOCK_STEP("clock steps");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }

        @Override
        public String toString() {
            return plural;
        }
    }

    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

    Faults() {
        for (Kind kind : Kind.values()) {
            counts.put(kind, 0L);
        }
    }

    void add(Kind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    /** How often a kind of fault was injected. */
    public long count(Kind kind) {
        return counts.get(kind);
    }

    /** All counts, as in {@code {delays=12, ...}}. */
    @Override
    public String toString() {
        return counts.toString();
    }
}
