package dev.rcc.protocols.calvin;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.common.Batches;

/**
 * Reads the tuples of participations whose locks are granted, and forwards them to their coordinators and to the active participants (rcc, 4.6).
 * Messages under way lie in one of two outboxes; when both are full, the next message has to wait.
 */
final class Forwarder {
    private static final int OUTBOXES = 2;

    private final WorkerContext context;
    private final CalvinLayout layout;
    private final Peers peers;
    private final Memory buffers;
    private final boolean oneSided;
    private final Batches batches;
    private final Completion[] outstanding = {new Completion(null), new Completion(null)};
    private final int[] used = new int[OUTBOXES];
    private final long[] scratch = new long[TableLayout.CHOICES];
    private int current;

    // The result of the item that is being read.
    private int status;
    private long tuple;
    private long slotVersion;

    Forwarder(WorkerContext context, CalvinLayout layout, Peers peers) {
        this.context = context;
        this.layout = layout;
        this.peers = peers;
        this.buffers = context.buffers();
        this.oneSided = context.code().isOneSided(Calvin.FORWARD);
        this.batches = new Batches(context.endpoint(), context.shape().nodes());
    }

    /** Whether a message has not arrived yet. */
    boolean isBusy() {
        return outstanding[0].outstanding() + outstanding[1].outstanding() > 0;
    }

    /** Empties an outbox once all its messages have arrived. All messages that were appended are posted. */
    void poll() {
        for (int i = 0; i < OUTBOXES; i++) {
            if (used[i] > 0 && peers.settle(outstanding[i])) {
                used[i] = 0;
            }
        }
    }

    /** Forwards a participation's records, or its refusal, to all nodes that execute; false if there is no room now. */
    boolean forward(Participation p) {
        boolean refused = p.state == Participation.State.REFUSED;
        int bytes = ForwardMessage.HEADER_BYTES + (refused ? 0 : itemBytes(p));
        long message = room(bytes);
        if (message < 0) {
            return false;
        }
        ForwardMessage.encodeHeader(
                buffers,
                message,
                refused ? 0 : p.keys().size(),
                p.flagOffset(),
                refused ? ForwardMessage.refused(p.id()) : p.id(),
                p.resultsOffset(),
                p.id());
        int length = refused ? bytes : readItems(p, message);
        for (int i = 0; i < p.targets(); i++) {
            int target = p.target(i);
            if (p.isShipped() && target == context.worker().node()) {
                ForwardMessage.deliver(buffers, message, buffers); // the inbox is this node's own
            } else if (target == p.home() || !peers.isDead(target)) {
                send(target, message, length);
            }
        }
        return true;
    }

    /**
     * Sends the coordinator the vote on an execution.
     *
     * @return false if there is no room now
     */
    boolean vote(Participation p) {
        long message = room(ForwardMessage.HEADER_BYTES);
        if (message < 0) {
            return false;
        }
        long vote = layout.votesOffset(p.id()) + (long) p.active().number * Memory.WORD_BYTES;
        long word = p.active().commits ? p.id() : ForwardMessage.refused(p.id());
        ForwardMessage.encodeHeader(buffers, message, 0, vote, word, p.resultsOffset(), p.id());
        send(p.home(), message, ForwardMessage.HEADER_BYTES);
        return true;
    }

    private void send(int node, long message, int length) {
        if (oneSided) {
            ForwardMessage.write(buffers, message, batches.to(node));
        } else {
            context.endpoint().call(node, CalvinParticipant.FORWARD, message, length, message, 0, outstanding[current]);
        }
    }

    /** Takes room in an outbox; -1 if there is none. */
    private long room(int bytes) {
        if (used[current] + bytes > layout.outboxBytes()) {
            post(); // a batch's WRITEs complete with the outbox that they come from
            current = 1 - current;
            if (used[current] + bytes > layout.outboxBytes()) {
                return -1;
            }
        }
        long offset = layout.outboxOffset(context.worker().index(), current) + used[current];
        used[current] += bytes;
        return offset;
    }

    /** Rings the doorbells of the messages that were forwarded since the last time. */
    void post() {
        batches.post(outstanding[current]);
    }

    private static int itemBytes(Participation p) {
        int bytes = 0;
        for (int i = 0; i < p.keys().size(); i++) {
            KeyList.Item key = p.keys().get(i);
            bytes += ForwardMessage.itemBytes(
                    Access.fetchedBytes(key.table.layout().tuple(), key.intent));
        }
        return bytes;
    }

    /** Returns the message's length in bytes. */
    private int readItems(Participation p, long message) {
        long item = message + ForwardMessage.HEADER_BYTES;
        for (int i = 0; i < p.keys().size(); i++) {
            KeyList.Item key = p.keys().get(i);
            TablePartition partition = context.memstore().partition(key.table.id(), key.partition);
            TableLayout table = partition.table().layout();
            read(partition, key, p.keys().identities());
            int imageBytes = status == ForwardMessage.FOUND ? Access.fetchedBytes(table.tuple(), key.intent) : 0;
            long leaf = table.leafOffset(key.keyHash) + table.leafVersionOffset();
            ForwardMessage.encodeItem(buffers, item, key.imageOffset, imageBytes, key.number);
            ForwardMessage.encodeResult(
                    buffers,
                    ForwardMessage.itemResult(item),
                    status,
                    tuple,
                    partition.memory().getLong(leaf),
                    slotVersion);
            if (imageBytes > 0) {
                partition.memory().copy(tuple, buffers, ForwardMessage.itemImage(item), imageBytes);
            }
            item += ForwardMessage.itemBytes(imageBytes);
        }
        return (int) (item - message);
    }

    private void read(TablePartition partition, KeyList.Item key, Memory identities) {
        slotVersion = 0;
        tuple = partition.lookup(key.keyHash, identities, key.identityOffset);
        if (tuple >= 0) {
            status = ForwardMessage.FOUND;
        } else if (key.intent == Intent.INSERT) {
            reserve(partition, key.keyHash);
        } else {
            status = ForwardMessage.ABSENT;
        }
    }

    private void reserve(TablePartition partition, long keyHash) {
        long entry = partition.reserve(keyHash, scratch);
        if (entry < 0) {
            status = ForwardMessage.FULL;
            return;
        }
        TableLayout table = partition.table().layout();
        status = ForwardMessage.ABSENT;
        tuple = table.tupleOfEntry(entry);
        slotVersion = partition.memory().getLong(tuple + table.tuple().versionOffset());
    }
}
