package dev.rcc.transport.tcp;

import static dev.rcc.transport.FabricCluster.at;

import dev.rcc.transport.FabricCluster;
import dev.rcc.transport.OnWorker;
import dev.rcc.transport.sockets.SocketTransport;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * The round trips of two nodes in one JVM over the loopback interface, per second and per second of CPU; each node calls the other. Arguments:
 * transport, coroutines a node, seconds. Fewer round trips with more coroutines would be a surprise.
 */
final class TcpRoundTrips {
    private static final int ECHO = 1;

    private TcpRoundTrips() {}

    public static void main(String[] args) throws Exception {
        SocketTransport transport = SocketTransport.valueOf(args[0].toUpperCase(Locale.ROOT));
        int coroutines = Integer.parseInt(args[1]);
        long nanos = (long) (Double.parseDouble(args[2]) * 1e9);
        try (FabricCluster cluster =
                new FabricCluster(new TcpNetwork(2, TcpOptions.DEFAULT.withTransport(transport)), 1, 1)) {
            cluster.handleEverywhere(ECHO, request -> {
                request.response().putLong(request.responseOffset(), 1);
                request.reply(8);
            });
            cluster.start();
            for (String kind : new String[] {"warm-up", "calls", "batches"}) {
                measure(cluster, kind, transport, coroutines, nanos);
            }
        }
    }

    private static void measure(
            FabricCluster cluster, String kind, SocketTransport transport, int coroutines, long nanos)
            throws Exception {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long begin = System.nanoTime();
        long cpu = system.getProcessCpuTime();
        List<CompletableFuture<Long>> counts = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            int peer = 1 - node;
            for (int i = 0; i < coroutines; i++) {
                counts.add(cluster.start(node, 0, on -> roundTrips(on, peer, !kind.equals("batches"), begin + nanos)));
            }
        }
        long count = 0;
        for (CompletableFuture<Long> one : counts) {
            count += cluster.join(one);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cpuSeconds = (system.getProcessCpuTime() - cpu) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%-8s %-8s %3d coroutines: %,9.0f round trips/s, %,9.0f per CPU second%n",
                transport,
                kind,
                coroutines,
                count / seconds,
                count / cpuSeconds);
    }

    private static long roundTrips(OnWorker on, int peer, boolean call, long end) {
        long count = 0;
        while (System.nanoTime() - end < 0) {
            if (call) {
                on.call(peer, ECHO, 0, 8);
            } else {
                on.endpoint
                        .batch(peer)
                        .cas(at(peer, 0), 0, 0, on.local(0))
                        .read(at(peer, 64), 64, on.local(64))
                        .post(on.completion);
            }
            on.awaitSuccess();
            count++;
        }
        return count;
    }
}
