package dev.rcc.protocols.common;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;

/**
 * Carries out the RPCs that end a transaction ({@link InstallMessage}) at the participant: commits, and releases of locks. Never waits. An
 * item whose lock the transaction does not hold any more was carried out before, and is left alone, so a call can be repeated.
 *
 * <p>All protocols install in the same order. The index names an inserted key before its lock is dropped: a transaction that finds the key finds it
 * locked or whole. A deleted tuple's index entry is freed after its lock is dropped, as the slot may be another key's from then on.
 */
public final class Installer {
    private final Memstore memstore;
    private final InstallMessage format;
    private final InstallRules rules;
    private final ServedItems served = new ServedItems();
    private final Install install = new Install();

    /** The installer of a worker. */
    public Installer(Memstore memstore, InstallMessage format, InstallRules rules) {
        this.memstore = memstore;
        this.format = format;
        this.rules = rules;
    }

    /**
     * Carries out all items of a request. The caller replies, with {@link #reply}.
     *
     * @return the word in the request's header
     */
    public long carryOut(RpcRequest request) {
        served.begin(request);
        carryOutItems();
        return served.headerWord();
    }

    /** Carries out all items of a message that this node has made for itself, as if a peer had sent it. */
    public void carryOut(Memory message, long offset) {
        served.begin(message, offset);
        carryOutItems();
    }

    private void carryOutItems() {
        while (served.hasNext()) {
            served.next(carryOutItem(), 0);
        }
    }

    /** Replies to the request that was carried out last. */
    public void reply() {
        served.sendDone();
    }

    /** Carries out one item and returns its length in bytes. */
    private int carryOutItem() {
        Memory payload = served.payload();
        long item = served.item();
        TablePartition partition = memstore.partitionOfRegion(InstallMessage.region(payload, item));
        int action = InstallMessage.action(payload, item);
        install.begin(partition, payload, item, served.headerWord());
        if (rules.isHeld(install)) {
            switch (action) {
                case InstallMessage.UPDATE, InstallMessage.INSERT, InstallMessage.DELETE -> installTuple(action);
                case InstallMessage.MARK_LEAF -> rules.markLeaf(install);
                case InstallMessage.WRITE_LEAF -> rules.writeLeaf(install);
                default -> {} // only the lock is to be dropped
            }
            if (action != InstallMessage.MARK_LEAF) {
                rules.unlock(install);
            }
            if (action == InstallMessage.DELETE || action == InstallMessage.UNRESERVE) {
                // Last: the slot is free for other transactions from here on.
                partition.clear(partition.table().layout().entryOfTuple(install.offset()));
            }
        }
        return format.bytes(action, partition.table().layout().tuple());
    }

    private void installTuple(int action) {
        TablePartition partition = install.partition();
        TableLayout layout = partition.table().layout();
        TupleLayout t = layout.tuple();
        Memory payload = install.payload();
        long offset = install.offset();
        long content = format.contentOffset(served.item());
        long keyHash = 0;
        rules.begin(install);
        if (action == InstallMessage.INSERT) {
            keyHash = payload.getLong(content);
            content += Memory.WORD_BYTES;
            payload.copy(content, partition.memory(), offset + t.identityOffset(), t.identityBytes());
            content += t.identityBytes();
        }
        if (action == InstallMessage.DELETE) {
            partition.clearIdentity(offset);
        } else {
            payload.copy(content, partition.memory(), offset + t.recordOffset(), t.recordBytes());
            t.putChecksum(partition.memory(), offset, install.version());
        }
        rules.writeVersion(install);
        if (action == InstallMessage.INSERT) {
            partition.publish(layout.entryOfTuple(offset), keyHash);
        }
    }
}
