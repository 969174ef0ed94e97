package dev.rcc.transport.sim;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The costs of all operations on a kind of hardware, in virtual time. A named profile is a file of these numbers, each with its
 * source; {@link #profile} loads it. Times are in nanoseconds, sizes in bytes.
 *
 * <p>A NIC has queueing servers for its node's requests, for its peers' requests, and for atomics; a worker is one such server. The
 * path of a work request: the worker posts it, the NIC sends it, the link takes its time, the peer's NIC carries it out,
 * the answer comes back over the link, the worker polls it.
 *
 * @param name the profile's name
 * @param link the costs of the link between NICs
 * @param nic the costs of a NIC
 * @param cpu the costs of a worker
 * @param detectNanos the time until a request to a peer that does not answer completes as failed
 * @param changes the costs that differ from the profile's file, by key
 */
public record CostModel(String name, Link link, Nic nic, Cpu cpu, long detectNanos, Map<String, String> changes) {

    /** The profiles that come with RCC. */
    public static final List<String> PROFILES =
            List.of("connectx4-edr", "connectx5-edr", "connectx3-fdr", "roce25", "tcp10g", "zmq", "wan-40ms");

    /** Checks the numbers. */
    public CostModel {
        changes = Collections.unmodifiableMap(new TreeMap<>(changes));
        checkCost("oneWayNanos", link.oneWayNanos);
        checkCost("jitterNanosMax", link.jitterNanosMax);
        checkCost("tailNanos", link.tailNanos);
        checkCost("loopbackNanos", link.loopbackNanos);
        checkCost("interDataCentreNanos", link.interDataCentreNanos);
        checkCost("nicSendNanos", nic.sendNanos);
        checkCost("nicServeNanos", nic.serveNanos);
        checkCost("nicAtomicNanos", nic.atomicNanos);
        checkCost("nicWordNanos", nic.wordNanos);
        checkCost("nicPieceNanos", nic.pieceNanos);
        checkCost("qpMissNanos", nic.qpMissNanos);
        checkCost("cpuPostNanos", cpu.postNanos);
        checkCost("cpuRequestNanos", cpu.requestNanos);
        checkCost("cpuCompletionNanos", cpu.completionNanos);
        checkCost("cpuPollNanos", cpu.pollNanos);
        checkCost("cpuHandlerNanos", cpu.handlerNanos);
        checkCost("cpuTransactionNanos", cpu.transactionNanos);
        checkCost("cpuMemoryNanos", cpu.memoryNanos);
        // Otherwise a coroutine that spins with pause() would stop time.
        checkPositive("cpuSwitchNanos", cpu.switchNanos);
        checkPositive("dataCentres", link.dataCentres);
        checkPositive("tailOneIn", link.tailOneIn);
        checkPositive("qpCacheEntries", nic.qpCacheEntries);
        checkPositive("qpReadsMax", nic.qpReadsMax);
        checkPositive("detectNanos", detectNanos);
        checkRate("bytesPerNano", link.bytesPerNano);
        checkRate("cpuCopyBytesPerNano", cpu.copyBytesPerNano);
    }

    private static void checkPositive(String key, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + ": got " + value + ", allowed: 1 or more");
        }
    }

    private static void checkRate(String key, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(key + ": got " + value + ", allowed: more than 0");
        }
    }

    private static void checkCost(String key, long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException(key + ": got " + nanos + ", allowed: 0 or more");
        }
    }

    /**
     * The costs of the link between two NICs.
     *
     * @param oneWayNanos the time from NIC to NIC of two nodes in one data centre, one way
     * @param jitterNanosMax the most time added to each passage of a link, drawn uniformly from 0 to this
     * @param tailNanos the time added to one passage in {@code tailOneIn}, as a rare delay; 0 for none
     * @param tailOneIn one passage in so many has this delay; 1 or more
     * @param loopbackNanos the time from a node's NIC to itself, one way
     * @param dataCentres if the cluster has one zone: the number of data centres that its nodes are spread over, in contiguous blocks; 1 for none
     * @param interDataCentreNanos the time added to each passage between data centres, one way
     * @param bytesPerNano bandwidth of a link in bytes per nanosecond (8 Gbit/s are 1)
     */
    public record Link(
            long oneWayNanos,
            long jitterNanosMax,
            long tailNanos,
            int tailOneIn,
            long loopbackNanos,
            int dataCentres,
            long interDataCentreNanos,
            double bytesPerNano) {
        /** The time to put the bytes onto a link. */
        long transferNanos(long bytes) {
            return (long) Math.ceil(bytes / bytesPerNano);
        }

        private static Link take(Properties numbers) {
            return new Link(
                    nanos(numbers, "oneWayNanos"),
                    nanos(numbers, "jitterNanosMax"),
                    nanos(numbers, "tailNanos"),
                    (int) nanos(numbers, "tailOneIn"),
                    nanos(numbers, "loopbackNanos"),
                    (int) nanos(numbers, "dataCentres"),
                    nanos(numbers, "interDataCentreNanos"),
                    rate(numbers, "bytesPerNano"));
        }
    }

    /**
     * The costs of a NIC. A profile's keys begin with {@code nic}, except those of queue pairs.
     *
     * @param sendNanos its time for each work request or message that its node posts: one over the rate of a NIC that only sends
     * @param serveNanos its time for each request or message that a peer sends: one over the rate of a NIC that only serves
     * @param isShared whether it sends and serves with the same units, so that a NIC that does both has time for half as many of each
     * @param atomicNanos the time between two atomics on different words
     * @param wordNanos the time of an atomic from reading its word to having written it; also between two on one word or one queue pair
     * @param pieceNanos the time between two 64-byte pieces of a READ or WRITE on their way between NIC and memory
     * @param qpCacheEntries the number of queue pairs whose state it caches
     * @param qpMissNanos its additional time for a request on a queue pair whose state is not cached
     * @param qpReadsMax the number of READs and atomics of a queue pair that may be under way at a time
     */
    public record Nic(
            long sendNanos,
            long serveNanos,
            boolean isShared,
            long atomicNanos,
            long wordNanos,
            long pieceNanos,
            int qpCacheEntries,
            long qpMissNanos,
            int qpReadsMax) {
        /**
         * The average time that fetching queue pairs' state adds to each of a NIC's requests, when all of its queue pairs are
         * used equally.
         */
        long qpNanos(int queuePairs) {
            return queuePairs <= qpCacheEntries ? 0 : qpMissNanos * (queuePairs - qpCacheEntries) / queuePairs;
        }

        private static Nic take(Properties numbers) {
            return new Nic(
                    nanos(numbers, "nicSendNanos"),
                    nanos(numbers, "nicServeNanos"),
                    flag(numbers, "nicIsShared"),
                    nanos(numbers, "nicAtomicNanos"),
                    nanos(numbers, "nicWordNanos"),
                    nanos(numbers, "nicPieceNanos"),
                    (int) nanos(numbers, "qpCacheEntries"),
                    nanos(numbers, "qpMissNanos"),
                    (int) nanos(numbers, "qpReadsMax"));
        }
    }

    /**
     * The costs of a worker. A profile's keys begin with {@code cpu}.
     *
     * @param postNanos its time to ring a doorbell: once for a batch, once for the calls to one peer in one turn
     * @param requestNanos its time to prepare each work request, call or reply
     * @param completionNanos its time for each completion or event that polling finds
     * @param pollNanos its time to poll, whether it finds anything or not
     * @param handlerNanos its time to receive and dispatch an RPC, without copying
     * @param copyBytesPerNano bytes that it copies in a nanosecond, for the payloads of RPCs
     * @param switchNanos its time to resume a coroutine and run it up to its next wait
     * @param transactionNanos its additional time for each transaction of a benchmark
     * @param reachesOwnNode whether it reaches its own node's memory and workers directly; if not, it uses the NIC, as the public code of
     *     DrTM+H and RCC does
     * @param memoryNanos its time for each work request on its own node's memory, if it reaches that directly
     */
    public record Cpu(
            long postNanos,
            long requestNanos,
            long completionNanos,
            long pollNanos,
            long handlerNanos,
            double copyBytesPerNano,
            long switchNanos,
            long transactionNanos,
            boolean reachesOwnNode,
            long memoryNanos) {
        /** The worker's time to copy bytes. */
        long copyNanos(long bytes) {
            return (long) (bytes / copyBytesPerNano);
        }

        private static Cpu take(Properties numbers) {
            return new Cpu(
                    nanos(numbers, "cpuPostNanos"),
                    nanos(numbers, "cpuRequestNanos"),
                    nanos(numbers, "cpuCompletionNanos"),
                    nanos(numbers, "cpuPollNanos"),
                    nanos(numbers, "cpuHandlerNanos"),
                    rate(numbers, "cpuCopyBytesPerNano"),
                    nanos(numbers, "cpuSwitchNanos"),
                    nanos(numbers, "cpuTransactionNanos"),
                    flag(numbers, "cpuReachesOwnNode"),
                    nanos(numbers, "cpuMemoryNanos"));
        }
    }

    /**
     * Loads a profile by its name.
     *
     * @throws IllegalArgumentException when there is no such profile; the message lists the profiles
     */
    public static CostModel profile(String name) {
        return profile(name, Map.of());
    }

    /**
     * Loads a profile and changes some of its numbers.
     *
     * @param changes the new numbers by their key in the profile's file
     * @throws IllegalArgumentException when there is no such profile or key, or a value is invalid; the message lists the
     *     profiles, the keys, or the allowed values
     */
    public static CostModel profile(String name, Map<String, String> changes) {
        if (!PROFILES.contains(name)) {
            throw new IllegalArgumentException(
                    "no profile is called " + name + ", there are " + String.join(", ", PROFILES));
        }
        Properties numbers = new Properties();
        try (InputStream file = CostModel.class.getResourceAsStream(name + ".properties")) {
            numbers.load(file);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read profile " + name, e);
        }
        changes.forEach((key, value) -> {
            if (!numbers.containsKey(key)) {
                throw new IllegalArgumentException("profile " + name + " has no cost " + key + "; it has "
                        + String.join(", ", new TreeSet<>(numbers.stringPropertyNames())));
            }
            numbers.setProperty(key, value);
        });
        CostModel model = new CostModel(
                name, Link.take(numbers), Nic.take(numbers), Cpu.take(numbers), nanos(numbers, "detectNanos"), changes);
        if (!numbers.isEmpty()) {
            throw new IllegalStateException(
                    "profile " + name + " has unknown keys: " + new TreeSet<>(numbers.keySet()));
        }
        return model;
    }

    /** The profile's name and the changed numbers. */
    public String describe() {
        return changes.isEmpty()
                ? name
                : name
                        + changes.entrySet().stream()
                                .map(Object::toString)
                                .collect(Collectors.joining(", ", " with ", ""));
    }

    /**
     * The time of a coroutine's one-sided READ from a node in the same data centre, when no other coroutine works and there is
     * no jitter: from posting until the worker resumes the coroutine.
     */
    public long readNanos(int bytes) {
        int pieces = Math.max(1, Math.ceilDiv(bytes, Pieces.LINE_BYTES));
        return cpu.postNanos
                + cpu.requestNanos
                + nic.sendNanos
                + link.oneWayNanos
                + nic.serveNanos
                + (pieces - 1) * nic.pieceNanos
                + link.transferNanos(bytes)
                + link.oneWayNanos
                + cpu.completionNanos;
    }

    private static long nanos(Properties numbers, String key) {
        return number(numbers, key, Long::parseLong, "a whole number");
    }

    private static boolean flag(Properties numbers, String key) {
        return number(numbers, key, CostModel::parseFlag, "true or false");
    }

    private static boolean parseFlag(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new NumberFormatException(value);
        };
    }

    private static double rate(Properties numbers, String key) {
        return number(numbers, key, Double::parseDouble, "a number");
    }

    private static <T> T number(Properties numbers, String key, Function<String, T> parse, String allowed) {
        String value = take(numbers, key);
        try {
            return parse.apply(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": got '" + value + "', allowed: " + allowed, e);
        }
    }

    private static String take(Properties numbers, String key) {
        Object value = numbers.remove(key);
        if (value == null) {
            throw new IllegalStateException("a profile lacks " + key);
        }
        return value.toString().trim();
    }
}
