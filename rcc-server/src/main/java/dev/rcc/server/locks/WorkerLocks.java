package dev.rcc.server.locks;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Alarm;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockVerbs;
import dev.rcc.protocols.locks.dslr.Dslr;
import dev.rcc.protocols.locks.dslr.DslrClaim;
import dev.rcc.protocols.locks.dslr.DslrDesk;
import dev.rcc.server.config.LockNamespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The named locks that the clients of one worker hold and wait for. A name is looked up at its home once in a configuration. The lock is then
 * requested at a {@linkplain DslrDesk desk}. Used on its worker only.
 */
public final class WorkerLocks {
    /** After this time, the home of a lock is asked again if it has moved or has not answered. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LATE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(1);

    /** The address of a lock, and the configuration since which it is there. */
    record Place(long address, long epoch) {}

    private final Worker worker;
    private final List<DslrDesk> desks = new ArrayList<>();
    private final List<LockNamespace> namespaces;
    private final NameLane[] lanes;
    private final LockCounters counters = new LockCounters();
    private final Map<LockName, Place> places = new HashMap<>();
    /** All locks that have not ended, in the order in which they were asked for. */
    private final Set<ServiceLock> live = new LinkedHashSet<>();
    /** The live locks whose homes are sought. */
    private final Set<ServiceLock> sought = new LinkedHashSet<>();

    private final Alarm alarm;
    private final BooleanSupplier mayServe;
    private Placement placement;
    private volatile long epoch;

    /**
     * The locks of a worker that does not run yet.
     *
     * @param words the words of the locks that are at home here
     * @param requesters number of workers of the cluster
     * @param buffers where its part of the buffers begins, {@link #bufferBytes} long
     */
    WorkerLocks(NodeLocks.Site site, LockDirectory directory, Memory words, int requesters, long buffers) {
        this.worker = site.worker();
        this.mayServe = site.mayServe();
        this.namespaces = site.settings().namespaces();
        this.lanes = new NameLane[site.nodes()];
        int serviceBytes = DslrDesk.serviceBytes(site.nodes());
        long next = buffers;
        LockSite any = null;
        for (LockNamespace namespace : namespaces) {
            long own = next;
            any = new LockSite(
                    worker,
                    site.endpoint(),
                    region -> words,
                    site.nodes(),
                    requesters,
                    site.settings().primitive(),
                    site.serviceCoroutine(),
                    new BufferSlice(site.buffers(), own, serviceBytes),
                    () -> 0,
                    counters);
            long first = own + serviceBytes;
            desks.add(new DslrDesk(
                    any,
                    new Dslr(NodeLocks.terms(namespace)),
                    node -> new BufferSlice(
                            site.buffers(), first + (long) node * DslrDesk.LANE_BYTES, DslrDesk.LANE_BYTES)));
            next = first + (long) site.nodes() * DslrDesk.LANE_BYTES;
        }
        LockVerbs.serve(any);
        NameMessage.serve(site.endpoint(), directory, worker);
        for (int node = 0; node < lanes.length; node++) {
            lanes[node] = new NameLane(site, node, next + (long) node * NameLane.BYTES, this::answered);
        }
        this.alarm = new Alarm(worker, site.serviceCoroutine(), LATE_NANOS_MAX, coroutine -> lookAgain());
    }

    /** Bytes of the buffers that each worker needs. */
    static long bufferBytes(int namespaces, int nodes) {
        return namespaces * (DslrDesk.serviceBytes(nodes) + (long) nodes * DslrDesk.LANE_BYTES)
                + (long) nodes * NameLane.BYTES;
    }

    /** The namespaces, by their numbers. */
    public List<LockNamespace> namespaces() {
        return namespaces;
    }

    /** The configuration that the node is in. For any thread. */
    public long epoch() {
        return epoch;
    }

    /**
     * Whether the other nodes cannot have gone on without the node. If they have, a lock that is granted here now may be held for longer than its new
     * home waits.
     */
    boolean mayGrant() {
        return mayServe.getAsBoolean();
    }

    /** The counters of the locks. */
    public LockCounters counters() {
        return counters;
    }

    /** All locks that are held or waited for, in the order in which they were asked for. */
    public List<ServiceLock> live() {
        return List.copyOf(live);
    }

    /**
     * Asks for a lock.
     *
     * @param namespace the number of its namespace
     * @param name its name there, 1 to {@link LockNamespace#LOCK_NAME_BYTES_MAX} bytes of UTF-8
     * @param slots for how many leases it may be held, 1 to the namespace's most
     * @param waitNanos how long to wait for it
     */
    public ServiceLock ask(
            int namespace, String name, LockMode mode, int slots, long waitNanos, ServiceLock.Listener listener) {
        ServiceLock lock = new ServiceLock(
                this,
                LockName.of(namespace, namespaces.get(namespace).name(), name),
                mode,
                slots,
                worker.nanoTime() + waitNanos,
                listener);
        live.add(lock);
        seek(lock);
        return lock;
    }

    /** The node enters a configuration. Held locks whose home has moved are lost, and awaited locks whose home has moved are sought. */
    void configured(long configEpoch, Placement now) {
        epoch = configEpoch;
        placement = now;
        places.clear();
        for (ServiceLock lock : List.copyOf(live)) {
            int node = lock.node();
            if (node >= 0 && node != home(lock)) {
                counters.lost += lock.isHeld() ? 1 : 0;
                lock.moved();
            }
        }
        for (int node = 0; node < lanes.length; node++) {
            if (isHomeOfNone(node)) { // as any lost node; it comes back in a later configuration, with other locks
                for (DslrDesk desk : desks) {
                    desk.lose(node);
                }
            }
        }
    }

    private boolean isHomeOfNone(int node) {
        return IntStream.range(0, placement.partitions()).noneMatch(partition -> placement.primary(partition) == node);
    }

    private int home(ServiceLock lock) {
        return placement.primary(lock.name().partition(placement.partitions()));
    }

    // ---- for locks -------------------------------------------------------------------------------------------------

    DslrClaim claim(ServiceLock lock, Place place) {
        return desks.get(lock.namespace())
                .ask(
                        place.address(),
                        place.epoch(),
                        lock.mode(),
                        lock.slots(),
                        lock.waitNanos(worker.nanoTime()),
                        lock);
    }

    /** Looks for the home of a lock. */
    void seek(ServiceLock lock) {
        Place place = places.get(lock.name());
        if (place != null) {
            lock.found(place);
            return;
        }
        sought.add(lock);
        ask(lock);
        alarm.in(AGAIN_NANOS);
    }

    /** Looks for the home of a lock once more, after the home has not answered or the lock's ticket became void. */
    void seekAgain(ServiceLock lock, boolean isUnreachable) {
        if (isUnreachable) {
            places.remove(lock.name());
            sought.add(lock);
            lock.notFound(ServiceLock.End.UNAVAILABLE, worker.nanoTime() + AGAIN_NANOS);
            alarm.in(AGAIN_NANOS);
        } else if (lock.waitNanos(worker.nanoTime()) > 0) {
            seek(lock);
        } else {
            lock.timeOut();
        }
    }

    void forget(ServiceLock lock) {
        live.remove(lock);
        sought.remove(lock);
    }

    private void ask(ServiceLock lock) {
        if (placement == null) {
            lock.notFound(ServiceLock.End.UNAVAILABLE, worker.nanoTime() + AGAIN_NANOS);
            return;
        }
        lock.asked();
        lanes[home(lock)].add(lock, lock.name().partition(placement.partitions()));
    }

    /** A home has answered; a null {@code answer} means that it has not. */
    private void answered(ServiceLock lock, LockDirectory.Answer answer) {
        lock.answered();
        if (!lock.isSought()) {
            return; // it has ended meanwhile
        }
        long now = worker.nanoTime();
        switch (answer) {
            case null -> lock.notFound(ServiceLock.End.UNAVAILABLE, now + AGAIN_NANOS);
            case LockDirectory.Answer.Found(long address, long epoch) -> {
                Place place = new Place(address, epoch);
                if (RemoteAddress.node(address) == home(lock)) { // if not, another configuration has begun meanwhile
                    places.put(lock.name(), place);
                    sought.remove(lock);
                    lock.found(place);
                    return;
                }
                lock.notFound(ServiceLock.End.UNAVAILABLE, now);
            }
            case LockDirectory.Answer.Elsewhere() -> lock.notFound(ServiceLock.End.UNAVAILABLE, now + AGAIN_NANOS);
            case LockDirectory.Answer.NotYet(long nanos) -> lock.notFound(ServiceLock.End.NOT_GRANTED, now + nanos);
            case LockDirectory.Answer.Full() -> {
                lock.end(ServiceLock.End.FULL);
                return;
            }
            case LockDirectory.Answer.Spent() -> {
                lock.end(ServiceLock.End.SPENT);
                return;
            }
        }
        lookAgain();
    }

    /** Asks again for the locks that are sought, and ends the sought locks whose time is over. */
    private void lookAgain() {
        long now = worker.nanoTime();
        long next = Long.MAX_VALUE;
        for (ServiceLock lock : List.copyOf(sought)) {
            if (!lock.isSought()) {
                continue;
            }
            if (lock.isOverdue(now)) {
                lock.timeOut();
            } else if (!lock.isAsked() && lock.isDue(now)) {
                ask(lock);
            }
            if (lock.isSought()) {
                next = Math.min(next, lock.isAsked() ? AGAIN_NANOS : lock.lookNanos() - now);
            }
        }
        if (next != Long.MAX_VALUE) {
            alarm.in(Math.max(1, next));
        }
    }
}
