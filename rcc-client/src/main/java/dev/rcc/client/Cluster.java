package dev.rcc.client;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.KeyPartition;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The gateways of a cluster, and the client's connections to them. For any thread. */
final class Cluster implements ClientTelemetry.Connections, AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long a client that is closed waits for the gateways' answers to the last unlocks. */
    private static final long UNLOCK_SECONDS = 1;

    /** Rounds of choosing a gateway: of the client's zone, of other zones, then the same for gateways that seem to be down. */
    private static final int CHOICES = 4;

    /** The node and the incarnation of a gateway that has not reported them. */
    private static final int UNKNOWN = -1;

    /** A gateway and a connection to it. */
    record Place(Endpoint endpoint, Link link) {}

    /** Where the partitions are, and the connection on which the client received it. */
    private record Received(Message.Placement placement, Link teller) {
        /** Whether another placement replaces this one. A cluster that was started anew counts its epochs from the beginning. */
        boolean yieldsTo(Message.Placement other) {
            return other.epoch() >= placement.epoch() || !teller.isOpen();
        }
    }

    private final ClientOptions options;
    private final Sockets sockets = Sockets.best();
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("rcc-client", true), sockets.handlers());
    private final ConcurrentMap<Endpoint, Gateway> gateways = new ConcurrentHashMap<>();
    /** The gateways in the order in which they were found. */
    private volatile List<Gateway> order = List.of();

    /** The gateways that admit clients, as the cluster announced last. */
    private volatile Set<Endpoint> listed = Set.of();
    /** The gateways that the cluster has named before, and no longer names. */
    private volatile Set<Endpoint> left = Set.of();
    /** Their incarnations, as far as the client has used them: it may know a gateway by another address, too. */
    private volatile Set<Long> leftIncarnations = Set.of();

    /** The zones of gateways, as a gateway announced last. */
    private volatile Map<Endpoint, String> zones = Map.of();

    /** Null until a gateway has sent the placement. */
    private final AtomicReference<Received> received = new AtomicReference<>();

    /** Tables by name, from the last description with attributes; empty until a gateway has sent one. */
    private volatile Map<String, Message.TableInfo> tables = Map.of();

    private final AtomicReference<String> name = new AtomicReference<>("");
    private final AtomicInteger turns = new AtomicInteger();
    private volatile boolean closed;

    Cluster(List<Endpoint> seeds, ClientOptions options) {
        this.options = options;
        seeds.forEach(this::learn);
        options.telemetry().opened(this);
    }

    /**
     * An open connection to a gateway that can be reached. Prefers the gateway of the node with the primary copy of a record, if the client knows
     * that node; otherwise takes gateways in turn. If the client has a zone, uses only gateways of that zone, as long as one can be reached.
     *
     * @param near the record, or null for any gateway
     * @throws RccException when no gateway can be reached
     */
    Place place(Near near, Deadline deadline) {
        Gateway home = near == null ? null : home(near);
        if (home != null && isInZone(home)) {
            try {
                return new Place(home.endpoint, home.link(deadline));
            } catch (PermissionException | BadRequestException e) {
                throw e; // every gateway would answer the same
            } catch (RccException e) {
                // other gateways find the record, too
            }
        }
        return anywhere(deadline);
    }

    /**
     * A partition whose primary copy is at a gateway's node, so that a commit there leaves its outcome at that node. Prefers the record's
     * partition, if its primary copy is at the node.
     *
     * @param near the record, or null
     * @return the partition, or {@link CommitId#ANYWHERE} if the client knows of none, or the gateway speaks an older version
     */
    int outcomePartition(Link link, Near near) {
        Received now = received.get();
        boolean isUnderstood = link.welcome().version() >= Wire.OUTCOME_PARTITION_VERSION;
        if (now == null || !isUnderstood) {
            return CommitId.ANYWHERE;
        }
        List<Integer> primaries = now.placement().primaries();
        int node = link.welcome().node();
        int nearest = near == null ? KeyPartition.ANY : partition(near, primaries.size());
        return nearest != KeyPartition.ANY && primaries.get(nearest) == node ? nearest : primaries.indexOf(node);
    }

    /**
     * The gateway of the node with the primary copy of a record. While the client does not know that gateway, a gateway that it has never
     * connected to. Null if there is no such gateway, or if every node has the record.
     */
    private Gateway home(Near near) {
        Received now = received.get();
        List<Integer> primaries = now == null ? List.of() : now.placement().primaries();
        int partition = primaries.isEmpty() ? KeyPartition.ANY : partition(near, primaries.size());
        if (partition == KeyPartition.ANY) {
            return null;
        }
        int node = primaries.get(partition);
        Gateway untried = null;
        for (Gateway gateway : order) {
            if (gateway.isDown()) {
                continue;
            }
            if (gateway.node == node) {
                return gateway;
            }
            if (untried == null && gateway.node == UNKNOWN && gateway.failures == 0) {
                untried = gateway;
            }
        }
        return untried;
    }

    /** The partition of a record, or {@link KeyPartition#ANY}. For an unknown table, by the hash of the whole key. */
    private int partition(Near near, int partitions) {
        Message.TableInfo table = tables.get(near.table());
        return KeyPartition.of(table == null ? null : table.distribution(), near.key(), partitions);
    }

    private Place anywhere(Deadline deadline) {
        List<Gateway> candidates = order;
        int turn = turns.getAndIncrement();
        RccException last = null;
        for (int choice = 0; choice < CHOICES; choice++) {
            for (int i = 0; i < candidates.size(); i++) {
                Gateway gateway = candidates.get(Math.floorMod(turn + i, candidates.size()));
                if (choice == 0) {
                    gateway.lookAgain();
                }
                if (choice(gateway) == choice) {
                    try {
                        return new Place(gateway.endpoint, gateway.link(deadline));
                    } catch (PermissionException | BadRequestException e) {
                        throw e; // every gateway would answer the same
                    } catch (RccException e) {
                        last = e;
                    }
                }
            }
        }
        throw last != null
                ? last
                : RccException.of(
                        ErrorCode.UNAVAILABLE, "the client knows no gateway: name some when it connects", null);
    }

    /** The round of a gateway: other zones come after the client's, and gateways that were found dead or have left come last. */
    private int choice(Gateway gateway) {
        return (gateway.isDown() ? 2 : 0) + (isInZone(gateway) ? 0 : 1);
    }

    /** Whether a gateway is in the client's zone. If the client has no zone, every gateway is. */
    private boolean isInZone(Gateway gateway) {
        return options.zone().isEmpty() || options.zone().equals(zones.get(gateway.endpoint));
    }

    /** The zone of a gateway; empty if the zone is not known. */
    String zone(Endpoint endpoint) {
        return zones.getOrDefault(endpoint, "");
    }

    /** An open connection to this gateway. */
    Link link(Endpoint endpoint, Deadline deadline) {
        return learn(endpoint).link(deadline);
    }

    /** The cluster's name; empty until a gateway was reached. */
    String name() {
        return name.get();
    }

    /** An open connection to each gateway that the cluster named last; one connection to a gateway with two addresses. */
    List<Place> everywhere(Deadline deadline) {
        Map<Long, Place> places = new LinkedHashMap<>();
        for (Endpoint endpoint : listed) {
            Link link = link(endpoint, deadline);
            places.put(link.welcome().incarnation(), new Place(endpoint, link));
        }
        return List.copyOf(places.values());
    }

    /** The known gateways, in the order in which they were found. */
    List<Endpoint> endpoints() {
        return order.stream().map(gateway -> gateway.endpoint).toList();
    }

    private Gateway learn(Endpoint endpoint) {
        Gateway known = gateways.get(endpoint);
        return known != null ? known : add(endpoint);
    }

    private void learn(List<String> members) {
        List<Endpoint> endpoints = members.stream().map(Endpoint::parse).toList();
        endpoints.forEach(this::learn);
        boolean haveSomeLeft;
        synchronized (this) {
            Set<Endpoint> gone = new HashSet<>(left);
            gone.addAll(listed);
            endpoints.forEach(gone::remove);
            haveSomeLeft = !left.containsAll(gone);
            left = Set.copyOf(gone);
            leftIncarnations = gone.stream()
                    .map(endpoint -> gateways.get(endpoint).incarnation)
                    .filter(incarnation -> incarnation != UNKNOWN)
                    .collect(Collectors.toUnmodifiableSet());
            listed = Set.copyOf(endpoints);
        }
        if (haveSomeLeft) {
            probeUnnamed();
        }
    }

    /** Probes the gateways that have left, and those of other addresses: one of these may have left, too. */
    private void probeUnnamed() {
        order.stream().filter(gateway -> !listed.contains(gateway.endpoint)).forEach(Gateway::probe);
    }

    private synchronized Gateway add(Endpoint endpoint) {
        return gateways.computeIfAbsent(endpoint, e -> {
            Gateway gateway = new Gateway(e);
            List<Gateway> longer = new ArrayList<>(order);
            longer.add(gateway);
            order = List.copyOf(longer);
            return gateway;
        });
    }

    // ---- for telemetry ---------------------------------------------------------------------------------------------

    @Override
    public String client() {
        return options.name();
    }

    @Override
    public int used() {
        return order.stream().mapToInt(Gateway::used).sum();
    }

    @Override
    public int idle() {
        return order.stream().mapToInt(Gateway::idle).sum();
    }

    @Override
    public int max() {
        return order.stream().mapToInt(Gateway::max).sum();
    }

    @Override
    public void close() {
        closed = true;
        options.telemetry().closed(this);
        List<Link> last =
                order.stream().flatMap(gateway -> gateway.last().stream()).toList();
        awaitUnlocks(last);
        last.forEach(Link::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    /** Waits until the gateways have answered the last unlocks. */
    private static void awaitUnlocks(List<Link> links) {
        try {
            CompletableFuture.allOf(links.stream().map(Link::lastUnlock).toArray(CompletableFuture[]::new))
                    .get(UNLOCK_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // No gateway is there to release anything: the locks end with their leases.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new ClientClosedException();
        }
    }

    /** A gateway and the connections to it. */
    private final class Gateway implements Link.Listener {
        private final Endpoint endpoint;
        private final AtomicInteger uses = new AtomicInteger();
        private final ReentrantLock connecting = new ReentrantLock();
        /** Written under the lock, and made longer when the gateway reports the number of its workers. */
        private volatile AtomicReferenceArray<Link> links = new AtomicReferenceArray<>(options.connectionsTo(1));

        /** The attempt to connect, or null. It goes on when its caller has no time left: the next caller waits for it. Used under the lock. */
        private CompletableFuture<Link> attempt;

        /** The gateway's node, as it reported last. */
        private volatile int node = UNKNOWN;

        /** The gateway's incarnation, as it reported last. */
        private volatile long incarnation = UNKNOWN;

        /** Whether the last attempt to connect has failed, or a connection has fallen silent since. */
        private volatile boolean failed;
        /** When it failed last, if it ever did. */
        private volatile long failedNanos;

        private volatile int failures;

        Gateway(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        boolean isDown() {
            return failed || left.contains(endpoint) || leftIncarnations.contains(incarnation);
        }

        /** Whether the last failure is so recent that another attempt would be in vain. */
        private boolean hasJustFailed() {
            return failures > 0 && System.nanoTime() - failedNanos < RETRY_NANOS;
        }

        /** If the gateway has failed, begins another attempt to connect now and then, for which no caller waits. */
        void lookAgain() {
            if (!failed || hasJustFailed() || left.contains(endpoint) || !connecting.tryLock()) {
                return;
            }
            try {
                if (!closed && (attempt == null || isInVain(attempt))) {
                    attempt = begin();
                }
            } finally {
                connecting.unlock();
            }
        }

        /** An open connection; takes the connections in turn. */
        Link link(Deadline deadline) {
            AtomicReferenceArray<Link> made = links;
            int i = Math.floorMod(uses.getAndIncrement(), made.length());
            Link link = made.get(i);
            if (link != null && link.isOpen()) {
                return link;
            }
            Link other = failed ? null : openOne();
            return other == null ? open(i, deadline) : openBeside(other, i, deadline);
        }

        /** A connection that is open, or null. */
        private Link openOne() {
            return links().stream().filter(Link::isOpen).findFirst().orElse(null);
        }

        /** Opens one more connection, or takes one that is open: if another thread is at it, or if the gateway admits no more. */
        private Link openBeside(Link other, int i, Deadline deadline) {
            if (hasJustFailed() || !connecting.tryLock()) {
                return other;
            }
            try {
                return opened(i, deadline);
            } catch (UnavailableException | DeadlineExceededException e) {
                return other;
            } finally {
                connecting.unlock();
            }
        }

        private Link open(int i, Deadline deadline) {
            int before = failures;
            deadline.lock(connecting, "another thread that connects to gateway " + endpoint);
            try {
                if (failures != before) { // another thread has just failed to connect
                    throw unavailable(null);
                }
                return opened(i, deadline);
            } finally {
                connecting.unlock();
            }
        }

        /** Called under the lock. */
        private Link opened(int i, Deadline deadline) {
            checkOpen();
            Link link = links.get(i);
            if (link == null || !link.isOpen()) {
                link = connect(deadline);
                links.set(i, link);
                lengthen(options.connectionsTo(link.welcome().workers()));
            }
            return link;
        }

        private void lengthen(int connections) {
            AtomicReferenceArray<Link> shorter = links;
            if (connections > shorter.length()) {
                AtomicReferenceArray<Link> longer = new AtomicReferenceArray<>(connections);
                for (int i = 0; i < shorter.length(); i++) {
                    longer.set(i, shorter.get(i));
                }
                links = longer;
            }
        }

        /**
         * Probes a gateway that the cluster does not name, or that has fallen silent. If it is there, or about to end, it answers. If its host is
         * gone, which the connections have not noticed, they are closed, so that callers do not wait for answers until their deadlines.
         */
        @SuppressWarnings("FutureReturnValueIgnored")
        void probe() {
            for (Link link : links()) {
                if (link.isOpen()) {
                    link.call(new Message.DescribeTables(), true)
                            .orTimeout(Link.PROBE_MILLIS, TimeUnit.MILLISECONDS)
                            .whenComplete((reply, failure) -> {
                                if (failure != null) {
                                    link.close();
                                }
                            });
                }
            }
        }

        int max() {
            return links.length();
        }

        int used() {
            return count(link -> link.isOpen() && link.isUsed());
        }

        int idle() {
            return count(link -> link.isOpen() && !link.isUsed());
        }

        private int count(Predicate<Link> which) {
            return (int) links().stream().filter(which).count();
        }

        /** The connections that have been made. */
        private List<Link> links() {
            List<Link> made = new ArrayList<>();
            AtomicReferenceArray<Link> all = links;
            for (int i = 0; i < all.length(); i++) {
                Link link = all.get(i);
                if (link != null) {
                    made.add(link);
                }
            }
            return made;
        }

        /** Called under the lock. */
        private Link connect(Deadline deadline) {
            if (attempt == null || isInVain(attempt)) {
                attempt = begin();
            }
            try {
                Link link = deadline.await(attempt);
                attempt = null;
                return link;
            } catch (RuntimeException e) {
                throw e instanceof DeadlineExceededException && !deadline.isOver() ? unavailable(e) : e;
            }
        }

        /** Whether an attempt has failed, or its connection has ended before a caller had it. */
        private static boolean isInVain(CompletableFuture<Link> attempt) {
            return attempt.isDone()
                    && (attempt.isCompletedExceptionally() || !attempt.join().isOpen());
        }

        /**
         * Begins an attempt to connect. If it fails and no other connection is open, the gateway has failed, whatever time the attempt's caller
         * has. Called under the lock.
         */
        private CompletableFuture<Link> begin() {
            long beginNanos = System.nanoTime();
            return Link.connect(group, sockets.channel(), endpoint, options, this)
                    .orTimeout(options.connectTimeout().toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete((link, failure) -> {
                        if (failure == null) {
                            failed = false;
                        } else {
                            countFailure(failed || openOne() == null);
                        }
                        options.telemetry()
                                .connected(
                                        options.name(),
                                        endpoint.toString(),
                                        Duration.ofNanos(System.nanoTime() - beginNanos),
                                        failure instanceof TimeoutException ? unavailable(failure) : failure);
                    });
        }

        private synchronized void countFailure(boolean isDown) {
            failedNanos = System.nanoTime();
            failures++;
            failed = isDown;
        }

        /** A connection answers no more. Its host may be gone: the other connections are probed, and calls go to other gateways meanwhile. */
        @Override
        public void silent() {
            countFailure(true);
            probe();
        }

        @Override
        public void welcomed(Message.Welcome welcome) {
            checkCluster(welcome.cluster());
            node = welcome.node();
            incarnation = welcome.incarnation();
        }

        @Override
        public void members(List<String> members) {
            learn(members);
        }

        @Override
        public void zones(Message.Zones told) {
            zones = told.gateways().stream()
                    .collect(Collectors.toUnmodifiableMap(
                            each -> Endpoint.parse(each.address()),
                            Message.ZonedGateway::zone,
                            (first, second) -> second));
        }

        @Override
        public void described(Message.Tables described) {
            if (described.hasAttributes()) {
                tables = described.tables().stream()
                        .collect(Collectors.toUnmodifiableMap(Message.TableInfo::name, table -> table));
            }
        }

        @Override
        public void placed(Link teller, Message.Placement placement) {
            received.updateAndGet(
                    before -> before == null || before.yieldsTo(placement) ? new Received(placement, teller) : before);
        }

        /** Checks the cluster's name: a client of two clusters would write to one and read from the other. */
        private void checkCluster(String cluster) {
            name.compareAndSet("", cluster);
            if (!name.get().equals(cluster)) {
                throw RccException.of(
                        ErrorCode.UNAVAILABLE,
                        "gateway " + endpoint + " is of cluster '" + cluster + "', the client's is '" + name.get()
                                + "': name gateways of one cluster",
                        null);
            }
        }

        private RccException unavailable(Throwable cause) {
            return RccException.of(
                    ErrorCode.UNAVAILABLE,
                    "gateway " + endpoint + " cannot be reached: is it there, and may this machine reach it?",
                    cause);
        }

        /** All connections, once the client is closed: no thread opens another. */
        List<Link> last() {
            connecting.lock();
            try {
                return links();
            } finally {
                connecting.unlock();
            }
        }
    }
}
