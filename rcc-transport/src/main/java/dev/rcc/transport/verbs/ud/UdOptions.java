package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import java.util.concurrent.TimeUnit;

/**
 * Options of RPC over UD. Immutable.
 *
 * @param callTimeoutNanos how long a call may take before it fails: the only effect of a lost packet
 * @param receivePackets packets that a worker can receive before it polls
 * @param sendPackets packets of a worker that may be on their way to the device
 * @param credits packets that a worker may have under way to another worker. A worker that n others send packets to never
 *     loses one for lack of room if n * ({@code credits} + {@value #SPARE_PACKETS}) is at most {@code receivePackets}.
 * @param messageBytesMax longest request or reply
 */
public record UdOptions(long callTimeoutNanos, int receivePackets, int sendPackets, int credits, int messageBytesMax) {
    /** The packets that are sent without credit: acknowledgements and probes. */
    static final int SPARE_PACKETS = 4;

    private static final int MIN_PACKETS = 16;
    static final int MAX_PACKETS = 32_768;
    private static final int MIN_CREDITS = 4;
    private static final int MAX_CREDITS = 64;
    private static final int MIN_MESSAGE_BYTES = 64;
    private static final int MAX_MESSAGE_BYTES = 1 << 28;

    /** The defaults: room for packets of 28 other workers. */
    public static final UdOptions DEFAULT = new UdOptions(TimeUnit.SECONDS.toNanos(5), 1024, 256, 32, 1 << 25);

    /** Checks the values. */
    public UdOptions {
        check("call-timeout", callTimeoutNanos, TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.HOURS.toNanos(1));
        check("receive-packets", receivePackets, MIN_PACKETS, MAX_PACKETS);
        check("send-packets", sendPackets, MIN_PACKETS, MAX_PACKETS);
        check("credits", credits, MIN_CREDITS, MAX_CREDITS);
        check("message-bytes-max", messageBytesMax, MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES);
        if (messageBytesMax % Memory.WORD_BYTES != 0) {
            throw new IllegalArgumentException(
                    "message-bytes-max: got " + messageBytesMax + ", allowed: a multiple of " + Memory.WORD_BYTES);
        }
    }

    /** The same options with another time-out. */
    public UdOptions withCallTimeoutNanos(long nanos) {
        return new UdOptions(nanos, receivePackets, sendPackets, credits, messageBytesMax);
    }

    /** The number of workers that may send to one worker before it could lose packets. */
    int talkersMax() {
        return receivePackets / (credits + SPARE_PACKETS);
    }

    private static void check(String option, long given, long min, long max) {
        if (given < min || given > max) {
            throw new IllegalArgumentException(
                    option + ": got " + given + ", allowed: an integer from " + min + " to " + max);
        }
    }
}
