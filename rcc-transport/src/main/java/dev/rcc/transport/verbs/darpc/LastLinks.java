package dev.rcc.transport.verbs.darpc;

/**
 * The last link of each caller over which a worker has served a call. Of two connections that a caller has made one after the other, the requests may
 * come in any order, as different threads of DaRPC take them. Those of the earlier one have failed at the caller, which may have made other calls
 * since. So they must not be served once one of the later connection was. Used on the worker.
 */
final class LastLinks {
    private final long[] incarnations;
    private final int[] links;

    /** For callers among {@code nodes}; none has called yet. */
    LastLinks(int nodes) {
        incarnations = new long[nodes];
        links = new int[nodes];
    }

    /** Whether a request may be served, that is, came over the caller's last link or a later one, which is the last one from now on. */
    boolean takes(int caller, long incarnation, int link) {
        if (incarnation < incarnations[caller] || (incarnation == incarnations[caller] && link < links[caller])) {
            return false;
        }
        incarnations[caller] = incarnation;
        links[caller] = link;
        return true;
    }
}
