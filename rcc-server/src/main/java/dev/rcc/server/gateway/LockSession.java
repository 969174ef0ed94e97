package dev.rcc.server.gateway;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.wire.Message;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockToken;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.locks.ServiceLock;
import dev.rcc.server.locks.WorkerLocks;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The locks of one client. When the client is gone, the locks that it waits for are given up. The locks that it holds, which it may still use, go
 * back at the end of their leases. Used on the worker of the session.
 */
final class LockSession implements ServiceLock.Listener {
    /** A lock, and its request without an answer. */
    private static final class Entry {
        private final int number;
        private ServiceLock lock;
        /** The request for the lock or its upgrade that waits, or {@link #NONE}. */
        private int waiting;

        Entry(int number, int request) {
            this.number = number;
            this.waiting = request;
        }
    }

    /** No request: clients count from 1, and 0 is for messages that answer no request. */
    private static final int NONE = 0;

    private final int most;
    private final Permissions permissions;
    private final AnswerSink answers;
    private final Optional<WorkerLocks> locks;
    private final Owners owners;
    private final String client;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private final Map<ServiceLock, Entry> byLock = new HashMap<>();
    private boolean isGone;

    /** The users and clients that have asked for the locks of a worker. Used on that worker. */
    static final class Owners {
        private record Owner(String user, String client) {}

        private final Map<ServiceLock, Owner> owners = new HashMap<>();

        /** Adds the locks of a namespace to {@code found}. */
        void describe(WorkerLocks locks, String namespace, List<Message.LockInfo> found) {
            for (ServiceLock lock : locks.live()) {
                Owner owner = owners.get(lock);
                boolean isAsked =
                        locks.namespaces().get(lock.namespace()).name().equals(namespace);
                if (isAsked && owner != null) {
                    boolean isHeld = lock.isHeld();
                    found.add(new Message.LockInfo(
                            lock.text(),
                            wire(lock.mode()),
                            isHeld,
                            isHeld ? lock.token() : 0,
                            isHeld ? leaseLeftMillis(lock) : 0,
                            owner.user(),
                            owner.client()));
                }
            }
        }
    }

    /**
     * The locks of a client that has asked for none yet.
     *
     * @param locks the locks of its worker, if the cluster serves locks
     * @param client the name that the client gives itself
     */
    LockSession(
            Optional<WorkerLocks> locks,
            Message.Limits limits,
            Permissions permissions,
            AnswerSink answers,
            Owners owners,
            String client) {
        this.most = limits.transactions();
        this.permissions = permissions;
        this.answers = answers;
        this.locks = locks;
        this.owners = owners;
        this.client = client;
    }

    // ---- requests --------------------------------------------------------------------------------------------------

    void lock(int request, Message.Lock asked) {
        Failure wrong = wrong(asked);
        if (wrong != null) {
            answers.answer(request, wrong.toReply());
            return;
        }
        int number = numberOf(asked.namespace());
        LockNamespace namespace = locks.orElseThrow().namespaces().get(number);
        Entry entry = new Entry(asked.lock(), request);
        entries.put(asked.lock(), entry);
        entry.lock = locks.orElseThrow()
                .ask(
                        number,
                        asked.name(),
                        mode(asked.mode()),
                        slots(namespace, asked.leaseMillis()),
                        TimeUnit.MILLISECONDS.toNanos(asked.waitMillis()),
                        this);
        byLock.put(entry.lock, entry);
        owners.owners.put(entry.lock, new Owners.Owner(permissions.user().name(), client));
    }

    private Failure wrong(Message.Lock asked) {
        List<LockNamespace> namespaces = locks.map(WorkerLocks::namespaces).orElse(List.of());
        Failure wrong = wrongName(namespaces, asked.namespace(), asked.name());
        if (wrong == null) {
            wrong = permissions.refusalToLock(asked.namespace());
        }
        if (wrong != null) {
            return wrong;
        }
        LockNamespace namespace = namespaces.get(numberOf(asked.namespace()));
        if (slots(namespace, asked.leaseMillis()) > namespace.slotsMax()) {
            return new Failure(
                    ErrorCode.BAD_REQUEST,
                    "lease: got " + asked.leaseMillis() + " ms, allowed: up to "
                            + namespace.longestLease().toMillis() + " ms in namespace " + namespace.name() + ", "
                            + namespace.slotsMax() + " times " + namespace.leaseMillis());
        }
        if (entries.containsKey(asked.lock())) {
            return new Failure(
                    ErrorCode.BAD_REQUEST,
                    "lock: got number " + asked.lock() + ", allowed: one that no lock of the connection has");
        }
        if (entries.size() >= most) {
            return new Failure(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a connection may hold and wait for " + most + " locks: unlock some, or use another connection");
        }
        return null;
    }

    /** Why there is no lock with this name, or null if there may be one. */
    static Failure wrongName(List<LockNamespace> namespaces, String namespace, String name) {
        if (namespaces.stream().noneMatch(each -> each.name().equals(namespace))) {
            return new Failure(
                    ErrorCode.BAD_REQUEST,
                    "namespace: got '" + namespace + "', allowed: "
                            + (namespaces.isEmpty()
                                    ? "none, as this cluster serves no locks (option locks)"
                                    : namespaces.stream()
                                            .map(LockNamespace::name)
                                            .toList()));
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > LockNamespace.LOCK_NAME_BYTES_MAX) {
            return new Failure(
                    ErrorCode.BAD_REQUEST,
                    "name: got one of " + bytes + " bytes of UTF-8, allowed: 1 to "
                            + LockNamespace.LOCK_NAME_BYTES_MAX);
        }
        return null;
    }

    private int numberOf(String namespace) {
        List<LockNamespace> all = locks.orElseThrow().namespaces();
        for (int number = 0; number < all.size(); number++) {
            if (all.get(number).name().equals(namespace)) {
                return number;
            }
        }
        throw new IllegalArgumentException("no namespace " + namespace);
    }

    private static int slots(LockNamespace namespace, int leaseMillis) {
        return Math.max(1, Math.ceilDiv(leaseMillis, namespace.leaseMillis()));
    }

    void upgrade(int request, Message.Upgrade asked) {
        Entry entry = entries.get(asked.lock());
        if (entry == null || !entry.lock.isHeld()) {
            answers.answer(request, lost("the lock").toReply());
        } else if (entry.lock.mode() != LockMode.UPDATE) {
            answers.answer(
                    request,
                    new Failure(
                                    ErrorCode.BAD_REQUEST,
                                    "upgrade: got lock '" + entry.lock.text() + "', held " + entry.lock.mode()
                                            + ", allowed: one that is held UPDATE")
                            .toReply());
        } else if (entry.waiting != NONE) {
            answers.answer(
                    request,
                    new Failure(
                                    ErrorCode.BAD_REQUEST,
                                    "upgrade: got lock '" + entry.lock.text()
                                            + "', which is being upgraded, allowed: one upgrade at a time")
                            .toReply());
        } else if (entry.lock.isUpgraded()) {
            answers.answer(request, reply(entry.lock));
        } else {
            entry.waiting = request;
            boolean _ = entry.lock.upgrade(TimeUnit.MILLISECONDS.toNanos(asked.waitMillis()));
        }
    }

    void unlock(int request, Message.Unlock asked) {
        Entry entry = entries.get(asked.lock());
        if (entry != null) {
            entry.lock.release();
            forget(entry);
            refuse(entry, new Failure(ErrorCode.LOCK_NOT_GRANTED, "the lock was given up"));
        }
        answers.answer(request, new Message.Done());
    }

    /** Why the locks of a namespace are not shown, or null. */
    Failure wrong(Message.DescribeLocks asked) {
        Failure wrong = wrongName(locks.map(WorkerLocks::namespaces).orElse(List.of()), asked.namespace(), "any");
        return wrong != null ? wrong : permissions.refusalToLock(asked.namespace());
    }

    // ---- the end ---------------------------------------------------------------------------------------------------

    /** The client is gone: gives up the locks that it waits for. */
    void gone() {
        isGone = true;
        for (Entry entry : List.copyOf(entries.values())) {
            if (!entry.lock.isHeld()) {
                entry.lock.release();
                forget(entry);
            }
        }
    }

    /** Ends all locks, as the node may be replaced. */
    void loseAll() {
        for (Entry entry : List.copyOf(entries.values())) {
            entry.lock.lose();
        }
    }

    // ---- from the locks --------------------------------------------------------------------------------------------

    @Override
    public void granted(ServiceLock lock) {
        Entry entry = byLock.get(lock);
        if (entry == null || isGone) {
            lock.release(); // its client is gone
            return;
        }
        answer(entry, reply(lock));
    }

    @Override
    public void upgraded(ServiceLock lock, boolean isAlone) {
        Entry entry = byLock.get(lock);
        if (entry != null) {
            answer(
                    entry,
                    isAlone
                            ? reply(lock)
                            : new Failure(
                                            ErrorCode.LOCK_NOT_GRANTED,
                                            "those that share lock '" + lock.text()
                                                    + "' have not released it in time: it is held for an update as before")
                                    .toReply());
        }
    }

    @Override
    public void ended(ServiceLock lock, ServiceLock.End why) {
        Entry entry = byLock.get(lock);
        if (entry == null) {
            return;
        }
        forget(entry);
        if (entry.waiting != NONE) {
            refuse(entry, failure(lock, why));
        } else if (!isGone) {
            answers.answer(0, new Message.LockLost(entry.number));
        }
    }

    private Failure failure(ServiceLock lock, ServiceLock.End why) {
        String name = "lock '" + lock.text() + "'";
        return switch (why) {
            case NOT_GRANTED ->
                new Failure(
                        ErrorCode.LOCK_NOT_GRANTED, name + " was not granted in time: wait for longer, or try again");
            case LOST -> lost(name);
            case UNAVAILABLE ->
                new Failure(ErrorCode.UNAVAILABLE, "the node of " + name + " could not be reached in time: try again");
            case FULL ->
                new Failure(
                        ErrorCode.LIMIT_EXCEEDED,
                        name + " is new, and its node has as many names as its namespace is configured for: "
                                + locks.orElseThrow()
                                        .namespaces()
                                        .get(lock.namespace())
                                        .names()
                                + ". Configure more (option locks), or use fewer names");
            case SPENT ->
                new Failure(
                        ErrorCode.LIMIT_EXCEEDED,
                        name + " cannot be granted: its node is its home since a configuration after number "
                                + LockToken.MAX_EPOCH + ", the last that has tokens");
        };
    }

    private static Failure lost(String name) {
        return new Failure(ErrorCode.LOCK_LOST, name + " is not held any more: ask for it again");
    }

    private void forget(Entry entry) {
        entries.remove(entry.number);
        byLock.remove(entry.lock);
        owners.owners.remove(entry.lock);
    }

    private void refuse(Entry entry, Failure why) {
        if (entry.waiting != NONE) {
            answer(entry, why.toReply());
        }
    }

    private void answer(Entry entry, Message.Reply reply) {
        int request = entry.waiting;
        entry.waiting = NONE;
        if (!isGone) {
            answers.answer(request, reply);
        }
    }

    private static Message.Granted reply(ServiceLock lock) {
        return new Message.Granted(lock.token(), leaseLeftMillis(lock));
    }

    private static int leaseLeftMillis(ServiceLock lock) {
        return (int) Math.max(0, TimeUnit.NANOSECONDS.toMillis(lock.leaseLeftNanos()));
    }

    private static LockMode mode(Message.LockMode wire) {
        return switch (wire) {
            case SHARED -> LockMode.SHARED;
            case UPDATE -> LockMode.UPDATE;
            case EXCLUSIVE -> LockMode.EXCLUSIVE;
        };
    }

    private static Message.LockMode wire(LockMode mode) {
        return switch (mode) {
            case SHARED -> Message.LockMode.SHARED;
            case UPDATE -> Message.LockMode.UPDATE;
            case EXCLUSIVE -> Message.LockMode.EXCLUSIVE;
        };
    }
}
