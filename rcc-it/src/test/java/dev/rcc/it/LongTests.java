package dev.rcc.it;

import dev.rcc.core.testing.BuildDraw;
import java.util.List;

/**
 * Tests of processes that take the best part of a minute, each for something that few changes touch. Each build has some, which the seed of the build
 * draws. All of them run where nothing is drawn.
 */
public final class LongTests {
    /** Strangers at the ports of nodes. */
    public static final String ATTACKERS = "attackers";
    /** Frames that no client and no node sends. */
    public static final String HOSTILE_FRAMES = "hostile frames";
    /** Connections that come and go by the thousand. */
    public static final String CONNECTIONS = "connections that come and go";
    /** A node that is cut off in a network of its own. */
    public static final String PARTITION = "a partition";
    /** YCSB's own client and the shell. */
    public static final String YCSB = "YCSB";
    /** A cluster that the command leaves running. */
    public static final String DETACHED = "a detached cluster";
    /** The lab as a command, which has guests of its own for that. */
    public static final String LAB = "the lab as a command";
    /** Data on disk when processes are killed. */
    public static final String KILLED = "killed processes";
    /** Data on disk when there is no room for more. */
    public static final String FULL_DISK = "a full disk";
    /** TPC-C's durability. */
    public static final String TPCC_DURABILITY = "durability of TPC-C";

    private static final List<String> ALL = List.of(
            ATTACKERS, HOSTILE_FRAMES, CONNECTIONS, PARTITION, YCSB, DETACHED, LAB, KILLED, FULL_DISK, TPCC_DURABILITY);
    private static final int IN_A_BUILD = 3;

    private LongTests() {}

    /** Skips a test that this build does not have. */
    public static void assumeDrawn(String test) {
        BuildDraw.assumeDrawn("long test", test, ALL, IN_A_BUILD);
    }
}
