package dev.rcc.it;

import dev.rcc.core.testing.BuildDraw;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tests that take the best part of a minute, most of them of processes, each for something that few changes touch. Each build has one, which the seed of the build
 * draws. All of them run where nothing is drawn.
 */
public enum LongTest {
    /** Attackers at the ports of nodes. */
    ATTACKERS("attackers"),
    /** Frames that no client and no node sends. */
    HOSTILE_FRAMES("hostile frames"),
    /** Connections that come and go by the thousand. */
    CONNECTIONS("connections that come and go"),
    /** A node that is cut off in a network of its own. */
    PARTITION("a partition"),
    /** YCSB's own client and the shell. */
    YCSB("YCSB"),
    /** A cluster that the command leaves running. */
    DETACHED("a detached cluster"),
    /** The lab as a command, which has guests of its own for that. */
    LAB("the lab as a command"),
    /** Data on disk when processes are killed. */
    KILLED("killed processes"),
    /** Data on disk when there is no room for more. */
    FULL_DISK("a full disk"),
    /** TPC-C's durability. */
    TPCC_DURABILITY("durability of TPC-C"),
    /** The sources without certain packages, compiled. */
    DELETED_PACKAGES("deleted packages");

    private static final List<String> ALL =
            Stream.of(values()).map(test -> test.text).toList();
    private static final int IN_A_BUILD = 1;

    private final String text;

    LongTest(String text) {
        this.text = text;
    }

    /** Skips a test that this build does not have. */
    public void assumeDrawn() {
        BuildDraw.assumeDrawn("long test", text, ALL, IN_A_BUILD);
    }
}
