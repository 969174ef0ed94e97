package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.ibv.AddressHandle;
import dev.rcc.transport.verbs.ibv.CompletionChannel;
import dev.rcc.transport.verbs.ibv.DeviceAttributes;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.PortPath;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import dev.rcc.transport.verbs.rpc.RpcTransport;
import dev.rcc.transport.verbs.ud.UdDescription.QueuePairKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * RPC over UD on the verbs network: one queue pair a worker, one address handle a peer. The channels belong to their
 * workers, which run tasks that connect and disconnect peers.
 */
public final class UdRpc implements RpcTransport {
    private static final int QKEY_MASK = Integer.MAX_VALUE; // the highest bit is for privileged Q_Keys
    private static final int MIN_CREDITS = 4;

    private final RpcSetting setting;
    private final UdOptions options;
    private final SecureRandom random = new SecureRandom();
    private final int incarnation = random.nextInt();
    private final int packetBytes;
    private final List<Worker> workers = new ArrayList<>();
    private final List<UdChannel> channels = new ArrayList<>();
    private final List<VerbsPacketPort> ports = new ArrayList<>();
    /** One for each path, however often its peer was connected. */
    private final Map<PortPath, AddressHandle> handles = new HashMap<>();

    /** With the default options and the setting's time-out. */
    public UdRpc(RpcSetting setting) {
        this(setting, UdOptions.DEFAULT.withCallTimeoutNanos(TimeUnit.MILLISECONDS.toNanos(setting.timeoutMillis())));
    }

    /** With these options; in a large cluster the receive ring is made longer, within the device's limits, and the credits fewer if need be. */
    public UdRpc(RpcSetting setting, UdOptions options) {
        this.setting = setting;
        this.options = fitted(options, setting);
        this.packetBytes = Math.min(setting.portAttributes().activeMtuBytes(), UdPacketLayout.PACKET_BYTES_MAX);
    }

    private static UdOptions fitted(UdOptions wanted, RpcSetting setting) {
        DeviceAttributes device = setting.device().attributes();
        int limit = Math.min(UdOptions.MAX_PACKETS, Math.min(device.qpWorkRequestsMax(), device.cqEntriesMax()));
        int room = setting.nodes() * (wanted.credits() + UdOptions.SPARE_PACKETS);
        int receivePackets = Math.min(limit, Math.max(wanted.receivePackets(), room));
        int credits = Math.clamp(
                receivePackets / Math.max(1, setting.nodes()) - UdOptions.SPARE_PACKETS, MIN_CREDITS, wanted.credits());
        return new UdOptions(
                wanted.callTimeoutNanos(),
                receivePackets,
                Math.min(limit, wanted.sendPackets()),
                credits,
                wanted.messageBytesMax());
    }

    @Override
    public RpcChannel open(
            Worker worker, Memory buffers, MemoryRegion region, CompletionChannel channel, RpcHandlers handlers) {
        VerbsPacketPort port = new VerbsPacketPort(
                setting.device(),
                setting.pd(),
                setting.port(),
                packetBytes,
                options.receivePackets(),
                options.sendPackets(),
                random.nextInt() & QKEY_MASK,
                channel,
                worker.index());
        UdChannel opened = new UdChannel(worker, buffers, handlers, port, options, incarnation);
        workers.add(worker);
        ports.add(port);
        channels.add(opened);
        return opened;
    }

    @Override
    public byte[] describe() {
        return new UdDescription(
                        incarnation,
                        setting.portAttributes().lid(),
                        setting.gid().high(),
                        setting.gid().low(),
                        packetBytes,
                        options.credits(),
                        ports.stream()
                                .map(port -> new QueuePairKey(port.queuePair(), port.qkey()))
                                .toList())
                .encode();
    }

    /** {@inheritDoc} There is nothing to make that takes time. */
    @Override
    public Prepared prepare(int peer, int link, byte[] description) {
        return new Prepared() {
            @Override
            public void use() {
                useNow(peer, link, description);
            }

            @Override
            public void discard() {}
        };
    }

    private void useNow(int peer, int link, byte[] description) {
        UdDescription there = UdDescription.decode(description);
        boolean isGlobal = setting.portAttributes().ethernet()
                || there.gidHigh() != setting.gid().high();
        PortPath path = new PortPath(
                setting.port(),
                setting.gid(),
                there.lid(),
                there.gidHigh(),
                there.gidLow(),
                isGlobal,
                setting.trafficClass(),
                setting.serviceLevel());
        // Kept to the end: a packet that uses it may be under way when the peer is gone.
        AddressHandle handle = handles.computeIfAbsent(path, setting.pd()::createAddressHandle);
        for (int i = 0; i < channels.size(); i++) {
            UdChannel channel = channels.get(i);
            UdPeer[] peers = peers(peer, there, handle, (short) link);
            workers.get(i).execute(() -> channel.connect(peer, peers));
        }
    }

    private UdPeer[] peers(int node, UdDescription there, AddressHandle handle, short session) {
        UdPeer[] peers = new UdPeer[there.workers().size()];
        for (int i = 0; i < peers.length; i++) {
            QueuePairKey worker = there.workers().get(i);
            peers[i] = new UdPeer(
                    node,
                    i,
                    there.incarnation(),
                    worker.queuePair(),
                    new VerbsPacketPort.Target(handle, worker.queuePair(), worker.qkey()),
                    Math.min(packetBytes, there.packetBytes()),
                    there.credits(),
                    options.credits(),
                    session);
        }
        return peers;
    }

    @Override
    public void disconnect(int peer) {
        for (int i = 0; i < channels.size(); i++) {
            UdChannel channel = channels.get(i);
            workers.get(i).execute(() -> channel.disconnect(peer));
        }
    }

    @Override
    public void close() {
        channels.forEach(UdChannel::close);
        handles.values().forEach(AddressHandle::close);
    }
}
