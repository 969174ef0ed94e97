package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.verbs.ibv.Access;
import dev.rcc.transport.verbs.ibv.AddressHandle;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.ProtectionDomain;
import dev.rcc.transport.verbs.ibv.QpSize;
import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.RecvWrs;
import dev.rcc.transport.verbs.ibv.SendFlags;
import dev.rcc.transport.verbs.ibv.SendWrs;
import dev.rcc.transport.verbs.ibv.VerbsDevice;
import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.ibv.WorkCompletions;
import java.lang.foreign.Arena;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UD queue pair and the rings of packets that it sends from and receives into, each ring in its own memory region.
 *
 * <pre>
 *  receive ring                                              send ring
 * +---------------------------------------+-----+-----+     +-------------+-----+-----+
 * | (to a line) | GRH (40) |  packet      |     | ... |     |  packet     |     | ... |
 * +---------------------------------------+-----+-----+     +-------------+-----+-----+
 * </pre>
 *
 * Packets are sent from the slots in turn. One in each quarter of the ring asks for a completion, which frees all slots
 * up to its own. Receives are posted again, in one chain, when the packets of a poll have been handled.
 */
final class VerbsPacketPort implements PacketPort {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsPacketPort.class);

    /** The global routing header, which the device writes before every packet. */
    private static final int GRH_BYTES = 40;

    private static final int LINE_BYTES = 64;
    private static final int RECEIVES_PER_POLL = 32;

    private final int packetBytes;
    private final int sendPackets;
    private final int signalInterval;
    private final int receiveStride;
    private final int sendStride;
    private final Arena arena = Arena.ofShared();
    private final Memory receive;
    private final Memory send;
    private final MemoryRegion receiveRegion;
    private final MemoryRegion sendRegion;
    private final CompletionQueue receiveCq;
    private final CompletionQueue sendCq;
    private final QueuePair queuePair;
    private final int qkey;
    private final RecvWrs receives;
    private final SendWrs sends;
    private final WorkCompletions received = new WorkCompletions(RECEIVES_PER_POLL);
    private final WorkCompletions sent = new WorkCompletions(8);

    /** The number of packets ever queued; below, the numbers of packets posted, and of packets that have left their slots. */
    private long queued;

    private long posted;
    private long reclaimed;
    private int receivedCount;
    private boolean broken;

    /** The destination of a packet on the verbs network. */
    record Target(AddressHandle handle, int queuePair, int qkey) implements Destination {}

    /**
     * Makes a queue pair that is ready to send and receive.
     *
     * @param packetBytes largest packet
     * @param receivePackets length of the receive ring
     * @param sendPackets length of the send ring
     * @param qkey the key that senders must know
     * @param cookie the number that the channel reports when a packet has arrived
     */
    VerbsPacketPort(
            VerbsDevice device,
            ProtectionDomain pd,
            int port,
            int packetBytes,
            int receivePackets,
            int sendPackets,
            int qkey,
            CompletionChannel channel,
            long cookie) {
        this.packetBytes = packetBytes;
        this.sendPackets = sendPackets;
        this.signalInterval = sendPackets / 4;
        this.qkey = qkey;
        this.receiveStride = (GRH_BYTES + packetBytes + LINE_BYTES - 1) & -LINE_BYTES;
        this.sendStride = (packetBytes + LINE_BYTES - 1) & -LINE_BYTES;
        this.receive = Memory.allocate(arena, (long) receivePackets * receiveStride);
        this.send = Memory.allocate(arena, (long) sendPackets * sendStride);
        this.receiveRegion = pd.register(receive.segment(), Access.LOCAL_WRITE);
        this.sendRegion = pd.register(send.segment(), 0);
        this.receiveCq = device.createCq(receivePackets, channel, cookie);
        this.sendCq = device.createCq(sendPackets, null, 0);
        this.queuePair = pd.createUd(sendCq, receiveCq, new QpSize(sendPackets, receivePackets, 1, 1, 0), false);
        this.receives = new RecvWrs(receivePackets);
        this.sends = new SendWrs(sendPackets, 0);
        for (int slot = 0; slot < receivePackets; slot++) {
            receives.set(
                    slot,
                    slot,
                    receiveRegion.base() + (long) slot * receiveStride,
                    GRH_BYTES + packetBytes,
                    receiveRegion.lkey());
        }
        queuePair.startDatagrams(port, qkey, 0);
        receives.end(receivePackets - 1);
        queuePair.postRecv(receives, 0);
    }

    int queuePair() {
        return queuePair.number();
    }

    int qkey() {
        return qkey;
    }

    @Override
    public int packetBytes() {
        return packetBytes;
    }

    @Override
    public Memory sendMemory() {
        return send;
    }

    @Override
    public long newPacket() {
        if (queued - reclaimed >= sendPackets / 2) {
            reclaim();
        }
        if (queued - reclaimed == sendPackets || broken) {
            return NONE;
        }
        return (queued % sendPackets) * sendStride;
    }

    @Override
    public void send(Destination to, int bytes) {
        Target target = (Target) to;
        int slot = (int) (queued % sendPackets);
        int flags = (queued + 1) % signalInterval == 0 ? SendFlags.SIGNALED : 0;
        sends.send(slot, queued, sendRegion.base() + (long) slot * sendStride, bytes, sendRegion.lkey(), flags);
        sends.to(slot, target.handle, target.queuePair, target.qkey);
        queued++;
    }

    @Override
    public void flush() {
        if (queued == posted || broken) {
            return;
        }
        int first = (int) (posted % sendPackets);
        int last = (int) ((queued - 1) % sendPackets);
        for (int slot = first; slot != last; slot = next(slot)) {
            sends.link(slot, next(slot));
        }
        sends.end(last);
        try {
            queuePair.postSend(sends, first);
            posted = queued;
        } catch (VerbsException e) {
            giveUp("a packet could not be posted", e);
        }
    }

    private int next(int slot) {
        return slot + 1 == sendPackets ? 0 : slot + 1;
    }

    private void reclaim() {
        int count = sendCq.poll(sent);
        for (int i = 0; i < count; i++) {
            if (!sent.isSuccess(i)) {
                giveUp("a packet could not be sent: " + sent.status(i), null);
                return;
            }
            reclaimed = sent.wrId(i) + 1;
        }
    }

    @Override
    public int receive() {
        receivedCount = receiveCq.poll(received);
        for (int i = 0; i < receivedCount; i++) {
            if (!received.isSuccess(i)) {
                giveUp("no packet can be received any more: " + received.status(i), null);
                receivedCount = 0;
            }
        }
        return receivedCount;
    }

    @Override
    public Memory receiveMemory() {
        return receive;
    }

    @Override
    public long packet(int i) {
        Objects.checkIndex(i, receivedCount);
        return received.wrId(i) * receiveStride + GRH_BYTES;
    }

    @Override
    public int packetBytes(int i) {
        return received.bytes(i) - GRH_BYTES;
    }

    @Override
    public int sourceQueuePair(int i) {
        return received.sourceQueuePair(i);
    }

    @Override
    public void release() {
        if (receivedCount == 0 || broken) {
            return;
        }
        int slot = (int) received.wrId(0);
        int first = slot;
        for (int i = 1; i < receivedCount; i++) {
            int following = (int) received.wrId(i);
            receives.link(slot, following);
            slot = following;
        }
        receives.end(slot);
        receivedCount = 0;
        try {
            queuePair.postRecv(receives, first);
        } catch (VerbsException e) {
            giveUp("room for packets could not be posted", e);
        }
    }

    @Override
    public void arm() {
        receiveCq.requestNotify();
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    private void giveUp(String why, VerbsException cause) {
        if (!broken) {
            broken = true;
            LOG.error("event=ud_port_failed queue_pair={}: all calls of RPC over UD fail: {}", queuePair, why, cause);
        }
    }

    @Override
    public void close() {
        queuePair.close();
        sendCq.close();
        receiveCq.close();
        sendRegion.close();
        receiveRegion.close();
        arena.close();
    }
}
