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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The gateways of a cluster, and the client's connections to them. For any thread. */
final class Cluster implements ClientTelemetry.Connections, AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long a gateway that has left may take to say that it is still there. */
    private static final long PROBE_MILLIS = 2_000;

    /** How gateways are chosen: of the client's zone, of another; likewise of those that seem to be down. */
    private static final int CHOICES = 4;

    /** Of a gateway that has not said which node is its. */
    private static final int UNKNOWN = -1;

    /** A gateway and a connection to it. */
    record Place(Endpoint endpoint, Link link) {}

    /** Where the partitions are, and the connection on which that was received. */
    private record Received(Message.Placement placement, Link teller) {
        /** Whether another one that is received holds instead. The epochs of a cluster that has begun anew count from the beginning. */
        boolean yieldsTo(Message.Placement other) {
            return other.epoch() >= placement.epoch() || !teller.isOpen();
        }
    }

    private final ClientOptions options;
    private final Sockets sockets = Sockets.best();
    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("rcc-client", true), sockets.handlers());
    private final ConcurrentMap<Endpoint, Gateway> gateways = new ConcurrentHashMap<>();
    /** In the order in which they were found. */
    private volatile List<Gateway> order = List.of();

    /** Those that let clients in, as the cluster said last. */
    private volatile Set<Endpoint> listed = Set.of();
    /** Those that the cluster has named before, and names no more. */
    private volatile Set<Endpoint> left = Set.of();

    /** The zones of gateways, as one of them has told last that knows zones. */
    private volatile Map<Endpoint, String> zones = Map.of();

    /** Null until some gateway has sent it. */
    private final AtomicReference<Received> received = new AtomicReference<>();

    /** By name, as a gateway described them last that tells their attributes; empty until one has. */
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
     * An open connection to some gateway that can be reached: to that of the node with the primary copy of a record, if the client knows which
     * that is; otherwise to one after the other. If the client has a zone, only to gateways there, as long as one can be reached.
     *
     * @param near the record, or null for no matter which
     * @throws RccException when no gateway can be reached
     */
    Place place(Near near, Deadline deadline) {
        Gateway home = near == null ? null : home(near);
        if (home != null && isInZone(home)) {
            try {
                return new Place(home.endpoint, home.link(deadline));
            } catch (PermissionException | BadRequestException e) {
                throw e; // every gateway would say so
            } catch (RccException e) {
                // the others find the record, too
            }
        }
        return anywhere(deadline);
    }

    /**
     * A partition that has its primary copy at a gateway's node, so that a commit there leaves its outcome where it is made: that of a record, if
     * that is at the node, too.
     *
     * @param near the record, or null
     * @return {@link CommitId#ANYWHERE} if the client knows of none, or the gateway speaks an older version
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
     * The gateway of the node with the primary copy of a record. As long as the client does not know which one that is, one that it has never
     * connected to; null if there is none, or if every node has the record.
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

    /** The partition of a record, or {@link KeyPartition#ANY}. Of a table that is not known, the whole key is taken to decide. */
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
                if (choice(gateway) == choice) {
                    try {
                        return new Place(gateway.endpoint, gateway.link(deadline));
                    } catch (PermissionException | BadRequestException e) {
                        throw e; // every gateway would say so
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

    /** How many there are before a gateway: those of other zones come later, and last those that were just found dead, or have left. */
    private int choice(Gateway gateway) {
        return (gateway.isDown() ? 2 : 0) + (isInZone(gateway) ? 0 : 1);
    }

    /** Whether a gateway is in the client's zone. If the client has none, each is. */
    private boolean isInZone(Gateway gateway) {
        return options.zone().isEmpty() || options.zone().equals(zones.get(gateway.endpoint));
    }

    /** The zone of a gateway; empty if it is not known. */
    String zone(Endpoint endpoint) {
        return zones.getOrDefault(endpoint, "");
    }

    /** An open connection to this gateway. */
    Link link(Endpoint endpoint, Deadline deadline) {
        return learn(endpoint).link(deadline);
    }

    /** What the cluster calls itself; empty until a gateway was reached. */
    String name() {
        return name.get();
    }

    /** An open connection to each gateway that the cluster has named last; those known by two names once. */
    List<Place> everywhere(Deadline deadline) {
        Map<Long, Place> places = new LinkedHashMap<>();
        for (Endpoint endpoint : listed) {
            Link link = link(endpoint, deadline);
            places.put(link.welcome().incarnation(), new Place(endpoint, link));
        }
        return List.copyOf(places.values());
    }

    /** The gateways that are known, in the order in which they were found. */
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
        Set<Endpoint> gone;
        synchronized (this) {
            gone = new HashSet<>(listed);
            endpoints.forEach(gone::remove);
            Set<Endpoint> named = new HashSet<>(left);
            named.addAll(listed);
            endpoints.forEach(named::remove);
            left = Set.copyOf(named);
            listed = Set.copyOf(endpoints);
        }
        gone.forEach(endpoint -> gateways.get(endpoint).probe());
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
        order.forEach(Gateway::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
    }

    /** A gateway and the connections to it. */
    private final class Gateway implements Link.Listener {
        private final Endpoint endpoint;
        private final AtomicInteger uses = new AtomicInteger();
        private final ReentrantLock connecting = new ReentrantLock();
        /** Written under the lock, and made longer when the gateway says how many workers there are. */
        private volatile AtomicReferenceArray<Link> links = new AtomicReferenceArray<>(options.connectionsTo(1));

        /** The node that it stands at, as it said last. */
        private volatile int node = UNKNOWN;

        private volatile boolean failed;
        private volatile long failedNanos;
        private volatile int failures;

        Gateway(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        boolean isDown() {
            return (failed && System.nanoTime() - failedNanos < RETRY_NANOS) || left.contains(endpoint);
        }

        /** An open connection, one after the other. */
        Link link(Deadline deadline) {
            AtomicReferenceArray<Link> made = links;
            int i = Math.floorMod(uses.getAndIncrement(), made.length());
            Link link = made.get(i);
            return link != null && link.isOpen() ? link : open(i, deadline);
        }

        private Link open(int i, Deadline deadline) {
            int before = failures;
            connecting.lock();
            try {
                checkOpen();
                if (failures != before) { // the thread that was here before has found out
                    throw unavailable(null);
                }
                Link link = links.get(i);
                if (link == null || !link.isOpen()) {
                    link = connect(deadline);
                    links.set(i, link);
                    lengthen(options.connectionsTo(link.welcome().workers()));
                }
                return link;
            } finally {
                connecting.unlock();
            }
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
         * The cluster names it no more. It may be about to end, and answers; or its host is gone, and the connections do not know: then
         * those who wait for answers need not wait until their time is over.
         */
        @SuppressWarnings("FutureReturnValueIgnored")
        void probe() {
            for (Link link : links()) {
                if (link.isOpen()) {
                    link.call(new Message.DescribeTables(), true)
                            .orTimeout(PROBE_MILLIS, TimeUnit.MILLISECONDS)
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

        /** Those that have been made. */
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

        private Link connect(Deadline deadline) {
            long beginNanos = System.nanoTime();
            Throwable failure = null;
            try {
                return open(deadline);
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            } finally {
                options.telemetry()
                        .connected(
                                options.name(),
                                endpoint.toString(),
                                Duration.ofNanos(System.nanoTime() - beginNanos),
                                failure);
            }
        }

        /** Called under the lock. */
        @SuppressWarnings({"FutureReturnValueIgnored", "NonAtomicVolatileUpdate"})
        private Link open(Deadline deadline) {
            CompletableFuture<Link> connecting = Link.connect(group, sockets.channel(), endpoint, options, this);
            try {
                Link link =
                        Deadline.in(options.connectTimeout()).earlier(deadline).await(connecting);
                failed = false;
                return link;
            } catch (RuntimeException e) {
                connecting.thenAccept(Link::close); // should it come too late
                failedNanos = System.nanoTime();
                failed = true;
                failures++;
                throw e instanceof DeadlineExceededException && !deadline.isOver() ? unavailable(e) : e;
            }
        }

        @Override
        public void welcomed(Message.Welcome welcome) {
            checkCluster(welcome.cluster());
            node = welcome.node();
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

        /** A client of two clusters would write to the one and read from the other. */
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

        void close() {
            connecting.lock();
            try {
                links().forEach(Link::close);
            } finally {
                connecting.unlock();
            }
        }
    }
}
