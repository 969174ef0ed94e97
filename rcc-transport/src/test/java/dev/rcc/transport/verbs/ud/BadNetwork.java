package dev.rcc.transport.verbs.ud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Random calls on a network with random faults, some of them absent. */
final class BadNetwork {
    private static final int ECHO = 1;
    private static final int SLOTS = 24;
    private static final int SLOT_BYTES = 8192;
    private static final int TURNS = 400;
    private static final long TURN_NANOS = UdOptions.DEFAULT.callTimeoutNanos() / 100;

    private record Call(int slot, long id, int bytes, Completion completion) {}

    private final SplittableRandom random;
    private final UdCluster cluster;
    private final double loss;
    private final double repetition;
    private final double delay;
    private final double damage;
    private final boolean shuffles;
    private final List<FakePackets.Packet> delayed = new ArrayList<>();
    private final List<RpcRequest> held = new ArrayList<>();
    private final Map<Integer, Set<Integer>> busySlots = new HashMap<>();
    private final Map<UdCluster.Node, List<Call>> outstanding = new HashMap<>();
    private final Set<Long> served = new HashSet<>();
    private long ids;
    private int succeeded;
    private int failed;

    BadNetwork(SplittableRandom random) {
        this.random = random;
        int credits = 4 + random.nextInt(30);
        cluster = new UdCluster(
                3, new UdOptions(UdOptions.DEFAULT.callTimeoutNanos(), 512, 16 + random.nextInt(64), credits, 1 << 16));
        loss = vice(0.1);
        repetition = vice(0.1);
        delay = vice(0.2);
        damage = vice(0.02);
        shuffles = random.nextBoolean();
        for (UdCluster.Node node : cluster.nodes) {
            node.handle(ECHO, this::serve);
            outstanding.put(node, new ArrayList<>());
            busySlots.put(node.number, new HashSet<>());
        }
    }

    private double vice(double most) {
        return random.nextBoolean() ? 0 : random.nextDouble() * most;
    }

    /** Calls for a while, then lets all outstanding calls end. */
    void run() {
        for (int turn = 0; turn < TURNS; turn++) {
            for (UdCluster.Node node : cluster.nodes) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    call(node);
                }
            }
            turn();
        }
        for (int turn = 0; turn < TURNS && outstanding.values().stream().anyMatch(calls -> !calls.isEmpty()); turn++) {
            turn();
        }
    }

    void check() {
        assertThat(outstanding.values()).as("calls that have not ended").allMatch(List::isEmpty);
        assertThat(succeeded).isPositive();
        if (loss == 0 && damage == 0 && delay == 0) {
            assertThat(failed).isZero();
        }
        assertThat(cluster.network.overruns).as("with %s failed", failed).isZero();
    }

    private void turn() {
        for (UdCluster.Node node : cluster.nodes) {
            node.channel.poll();
        }
        while (!held.isEmpty() && random.nextInt(3) > 0) {
            echo(held.remove(random.nextInt(held.size())));
        }
        beBad();
        cluster.passTime(TURN_NANOS);
        outstanding.forEach(this::collect);
    }

    private void beBad() {
        List<FakePackets.Packet> packets = cluster.network.underWay;
        if (shuffles) {
            UdChannelTest.shuffle(packets, random);
        }
        List<FakePackets.Packet> now = new ArrayList<>();
        for (FakePackets.Packet packet : packets) {
            if (random.nextDouble() < loss) {
                continue;
            }
            if (random.nextDouble() < repetition) {
                now.add(packet);
            }
            if (random.nextDouble() < delay) {
                delayed.add(packet);
            } else {
                now.add(random.nextDouble() < damage ? damaged(packet) : packet);
            }
        }
        packets.clear();
        while (!delayed.isEmpty() && random.nextInt(2) == 0) {
            now.add(delayed.remove(random.nextInt(delayed.size())));
        }
        now.forEach(cluster.network::deliver);
    }

    /** A network's checksums detect a flipped bit; so the only undetected damage is a packet that was cut off. */
    private FakePackets.Packet damaged(FakePackets.Packet packet) {
        byte[] bytes = new byte[random.nextInt(packet.bytes().length)];
        System.arraycopy(packet.bytes(), 0, bytes, 0, bytes.length);
        return new FakePackets.Packet(packet.from(), packet.to(), bytes);
    }

    private void call(UdCluster.Node node) {
        int slot = random.nextInt(SLOTS);
        if (!busySlots.get(node.number).add(slot)) {
            return;
        }
        int bytes = Memory.WORD_BYTES * (1 + random.nextInt(random.nextInt(4) == 0 ? 400 : 10));
        long id = ++ids;
        long request = 2L * slot * SLOT_BYTES;
        UdChannelTest.fill(node.buffers, request, bytes, id);
        node.buffers.putLong(request, id);
        node.buffers.zero(request + SLOT_BYTES, SLOT_BYTES);
        Completion completion =
                node.call(random.nextInt(3), ECHO, request, bytes, request + SLOT_BYTES, bytes + Memory.WORD_BYTES);
        outstanding.get(node).add(new Call(slot, id, bytes, completion));
    }

    private void collect(UdCluster.Node node, List<Call> calls) {
        calls.removeIf(call -> {
            if (call.completion.outstanding() > 0) {
                return false;
            }
            busySlots.get(node.number).remove(call.slot);
            if (call.completion.await()) {
                succeeded++;
                checkReply(node.buffers, (2L * call.slot + 1) * SLOT_BYTES, call);
            } else {
                failed++;
            }
            return true;
        });
    }

    private void checkReply(Memory buffers, long reply, Call call) {
        assertThat(served).contains(call.id);
        assertThat(buffers.getLong(reply)).isEqualTo(~call.id);
        for (int i = Memory.WORD_BYTES; i < call.bytes; i += Memory.WORD_BYTES) {
            assertThat(buffers.getLong(reply + i))
                    .as("byte %d of the reply to call %d", i, call.id)
                    .isEqualTo(~(call.id * 1_000_003 + i));
        }
        assertThat(buffers.getLong(reply + call.bytes)).as("beyond the reply").isZero();
    }

    private void serve(RpcRequest request) {
        long id = request.payload().getLong(request.payloadOffset());
        assertThat(served.add(id))
                .as("call %d is served for the first time", id)
                .isTrue();
        if (random.nextInt(5) == 0) {
            held.add(request);
        } else {
            echo(request);
        }
    }

    private static void echo(RpcRequest request) {
        int bytes = request.payloadBytes();
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            request.response()
                    .putLong(request.responseOffset() + i, ~request.payload().getLong(request.payloadOffset() + i));
        }
        request.reply(bytes);
    }
}
