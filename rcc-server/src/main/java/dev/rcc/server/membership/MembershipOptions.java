package dev.rcc.server.membership;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How the members of a cluster watch each other.
 *
 * @param directory the directory of the group's log; it must survive the process, or a restarted node could vote twice
 * @param grace how long a member may be disconnected before it is taken out
 * @param lease how long a member may serve without grants from a majority
 * @param reach how long the members wait until they reach a node that joins, on the network that carries transactions, and a tenth of it when
 *     they try again; a member that is not reached any more is reported after a third of it
 */
public record MembershipOptions(Path directory, Duration grace, Duration lease, Duration reach) {
    /** Networks connect in some milliseconds, or seconds where packets are lost; transactions wait meanwhile. */
    private static final Duration REACH = Duration.ofSeconds(30);

    private static final Duration MIN_LEASE = Duration.ofMillis(50);
    private static final Duration MAX = Duration.ofMinutes(10);

    /** Checks the times. */
    public MembershipOptions {
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("lease must be " + MIN_LEASE + " to " + MAX + ", got " + lease);
        }
        if (grace.isNegative() || grace.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("grace must be 0 to " + MAX + ", got " + grace);
        }
        if (reach.isNegative() || reach.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("reach must be 0 to " + MAX + ", got " + reach);
        }
    }

    /** With 30 s to reach a node that joins. */
    public MembershipOptions(Path directory, Duration grace, Duration lease) {
        this(directory, grace, lease, REACH);
    }

    /** With 250 ms of grace and leases of 500 ms. */
    public static MembershipOptions in(Path directory) {
        return new MembershipOptions(directory, Duration.ofMillis(250), Duration.ofMillis(500));
    }
}
