package dev.rcc.transport.verbs.ud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ExpectedLog;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UdChannelTest {
    private static final int ECHO = 1;
    private static final int ABSENT = 2;
    private static final long TIMEOUT = UdOptions.DEFAULT.callTimeoutNanos();

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final UdCluster cluster = new UdCluster(2, UdOptions.DEFAULT);
    private final UdCluster.Node caller = cluster.nodes[0];
    private final UdCluster.Node server = cluster.nodes[1];
    private int served;

    @AfterEach
    void closeLog() {
        log.close();
    }

    // Messages.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, UdCluster.ROOM - 1, UdCluster.ROOM, UdCluster.ROOM + 1, 1000, 8192, 300_001})
    void shouldCarryRequestAndReply(int bytes) {
        server.handle(ECHO, this::echo);
        fill(caller.buffers, 8, bytes, 5);
        Completion completion = caller.call(1, ECHO, 8, bytes, 400_000, bytes);
        cluster.settle();
        assertSucceeded(completion);
        assertEcho(caller.buffers, 400_000, bytes, 5);
        assertThat(caller.buffers.getLong(Memory.alignToWord(400_000 + bytes)))
                .as("beyond the reply")
                .isZero();
        assertThat(served).isOne();
    }

    @Test
    void shouldPassCallerPayloadSizeAndReplyCapacityToTheHandler() {
        List<Object> seen = new ArrayList<>();
        server.handle(ECHO, request -> {
            seen.addAll(List.of(request.caller(), request.payloadBytes(), request.responseCapacity()));
            request.reply(0);
        });
        Completion completion = caller.call(1, ECHO, 0, 24, 64, 3000);
        cluster.settle();
        assertSucceeded(completion);
        assertThat(seen).containsExactly(0, 24, 3000);
    }

    @Test
    void shouldCallItself() {
        caller.handle(ECHO, this::echo);
        caller.buffers.putLong(0, 9);
        Completion completion = caller.call(0, ECHO, 0, 64);
        cluster.settle();
        assertSucceeded(completion);
        assertThat(caller.buffers.getLong(64)).isEqualTo(~9L);
    }

    @Test
    void shouldPackTheCallsOfATurnAndTheirReplies() {
        server.handle(ECHO, this::echo);
        for (int i = 0; i < 5; i++) {
            caller.call(1, ECHO, 0, 64 + 8L * i);
        }
        caller.channel.poll();
        assertThat(cluster.network.underWay).as("requests").hasSize(1);
        cluster.network.deliverAll();
        server.channel.poll();
        assertThat(cluster.network.underWay).as("replies").hasSize(1);
        assertThat(served).isEqualTo(5);
    }

    @Test
    void shouldNotSplitAMessageThatFitsInAPacket() {
        server.handle(ECHO, this::echo);
        caller.call(1, ECHO, 0, 100, 400, 8);
        caller.call(1, ECHO, 0, 100, 400, 8);
        caller.channel.poll();
        assertThat(cluster.network.underWay).hasSize(2);
        assertThat(cluster.network.underWay)
                .allSatisfy(packet -> assertThat(packet.bytes())
                        .hasSize(UdPacketLayout.HEADER_BYTES + UdPacketLayout.FRAGMENT_BYTES + 104));
    }

    @Test
    void shouldSplitALongMessageAndPackItsRestWithTheNext() {
        server.handle(ECHO, this::echo);
        caller.call(1, ECHO, 0, 2 * UdCluster.ROOM + 8, 4096, 8);
        caller.call(1, ECHO, 0, 8, 4096, 8);
        caller.channel.poll();
        assertThat(cluster.network.underWay).hasSize(3);
        cluster.network.deliverAll();
        server.channel.poll();
        assertThat(served).isEqualTo(2);
    }

    @Test
    void shouldReassembleMessagesFromPacketsInAnyOrder() {
        Seeds.forEach(50, random -> {
            UdCluster fresh = new UdCluster(2, UdOptions.DEFAULT);
            fresh.nodes[1].handle(ECHO, this::echo);
            List<Completion> completions = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int bytes = random.nextInt(1500);
                fill(fresh.nodes[0].buffers, 4096L * i, bytes, i);
                completions.add(fresh.nodes[0].call(1, ECHO, 4096L * i, bytes, 65_536 + 4096L * i, bytes));
            }
            for (int turn = 0; turn < 20; turn++) {
                for (UdCluster.Node node : fresh.nodes) {
                    node.channel.poll();
                }
                shuffle(fresh.network.underWay, random);
                fresh.network.deliverAll();
            }
            for (int i = 0; i < 6; i++) {
                assertSucceeded(completions.get(i));
            }
            assertThat(fresh.nodes[1].channel.counters().packetsMissing()).isZero();
            assertThat(fresh.nodes[1].channel.counters().packetsRepeated()).isZero();
        });
    }

    // Handlers that fail, and slow handlers.

    @Test
    void shouldFailTheCallOfAHandlerThatThrowsOrIsNotThere() {
        log.expect();
        server.handle(ECHO, request -> {
            throw new IllegalStateException("thrown on purpose by this test");
        });
        Completion thrown = caller.call(1, ECHO, 0, 64);
        Completion absent = caller.call(1, ABSENT, 0, 64);
        cluster.settle();
        assertFailed(thrown);
        assertFailed(absent);
        assertThat(log.messages()).hasSize(2);
    }

    @Test
    void shouldReplyLaterAndOnce() {
        List<RpcRequest> held = new ArrayList<>();
        server.handle(ECHO, held::add);
        List<Completion> completions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            caller.buffers.putLong(8L * i, i);
            completions.add(caller.call(1, ECHO, 8L * i, 64 + 8L * i));
        }
        cluster.settle();
        assertThat(completions).allSatisfy(c -> assertThat(c.outstanding()).isOne());
        held.reversed().forEach(this::echo);
        cluster.settle();
        for (int i = 0; i < 3; i++) {
            assertSucceeded(completions.get(i));
            assertThat(caller.buffers.getLong(64 + 8L * i)).isEqualTo(~(long) i);
        }
        assertThat(server.channel.requestsFree()).isEqualTo(server.channel.requestsMade());
    }

    // Loss.

    @Test
    void shouldFailACallWhoseRequestIsLostWhenItsTimeIsUpAndSendNothingTwice() {
        log.expect();
        server.handle(ECHO, this::echo);
        Completion lost = caller.call(1, ECHO, 0, 64);
        caller.channel.poll();
        cluster.network.underWay.clear();
        cluster.passTime(TIMEOUT - 1);
        cluster.settle();
        assertThat(lost.outstanding()).as("before its time is up").isOne();
        cluster.passTime(1);
        cluster.settle();
        assertFailed(lost);
        assertThat(served).isZero();
        assertThat(caller.channel.counters().callsTimedOut()).isOne();
        assertThat(log.messages()).singleElement().asString().contains("ms=5000");
    }

    @Test
    void shouldFailACallWhoseReplyIsLost() {
        log.expect();
        server.handle(ECHO, this::echo);
        Completion lost = caller.call(1, ECHO, 0, 64);
        cluster.step();
        server.channel.poll();
        cluster.network.underWay.clear();
        cluster.passTime(TIMEOUT);
        cluster.settle();
        assertFailed(lost);
        assertThat(served).isOne();
        // The next call succeeds, and shows that a packet was missing.
        Completion next = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertSucceeded(next);
        assertThat(caller.channel.counters().packetsMissing()).isOne();
    }

    @Test
    void shouldFailOnlyTheCallThatMissesAPart() {
        log.expect();
        server.handle(ECHO, this::echo);
        fill(caller.buffers, 0, 900, 1);
        Completion torn = caller.call(1, ECHO, 0, 900, 4096, 900);
        caller.channel.poll();
        cluster.network.underWay.remove(1);
        cluster.settle();
        fill(caller.buffers, 0, 900, 2);
        Completion whole = caller.call(1, ECHO, 0, 900, 8192, 900);
        cluster.settle();
        assertSucceeded(whole);
        assertEcho(caller.buffers, 8192, 900, 2);
        cluster.passTime(TIMEOUT);
        cluster.settle();
        assertFailed(torn);
        assertThat(served).isOne();
        // The fragments that had arrived are replaced by the slot's next long call.
        fill(caller.buffers, 0, 900, 3);
        Completion next = caller.call(1, ECHO, 0, 900, 4096, 900);
        Completion another = caller.call(1, ECHO, 0, 900, 8192, 900);
        cluster.settle();
        assertSucceeded(next);
        assertSucceeded(another);
        assertThat(server.channel.requestsFree()).isEqualTo(server.channel.requestsMade());
    }

    @Test
    void shouldDropALateReplyAndLeaveTheBufferAlone() {
        log.expect();
        server.handle(ECHO, this::echo);
        caller.buffers.putLong(0, 1);
        Completion late = caller.call(1, ECHO, 0, 64);
        cluster.step();
        server.channel.poll();
        List<FakePackets.Packet> kept = cluster.network.take(packet -> true);
        cluster.passTime(TIMEOUT);
        cluster.settle();
        assertFailed(late);
        // The slot is in use again when the late reply arrives.
        caller.buffers.putLong(0, 2);
        Completion next = caller.call(1, ECHO, 0, 64);
        kept.forEach(cluster.network::deliver);
        caller.channel.poll();
        assertThat(next.outstanding()).isOne();
        assertThat(caller.buffers.getLong(64)).isZero();
        cluster.settle();
        assertSucceeded(next);
        assertThat(caller.buffers.getLong(64)).isEqualTo(~2L);
        assertThat(caller.channel.counters().repliesLate()).isOne();
        assertThat(caller.channel.callsMade()).isOne();
    }

    @Test
    void shouldServeARepeatedRequestOnce() {
        server.handle(ECHO, this::echo);
        Completion completion = caller.call(1, ECHO, 0, 64);
        caller.channel.poll();
        cluster.network.underWay.addAll(List.copyOf(cluster.network.underWay));
        cluster.settle();
        assertSucceeded(completion);
        assertThat(served).isOne();
        assertThat(server.channel.counters().packetsRepeated()).isOne();
    }

    @Test
    void shouldForgetACallThatTimesOutBeforeItIsSent() {
        log.expect();
        server.handle(ECHO, this::echo);
        // Packets that do not arrive use up all credit.
        List<Completion> lost = new ArrayList<>();
        for (int i = 0; i < UdOptions.DEFAULT.credits() + 3; i++) {
            lost.add(caller.call(1, ECHO, 0, UdCluster.ROOM, 1024, 8));
        }
        caller.channel.poll();
        assertThat(cluster.network.underWay).hasSize(UdOptions.DEFAULT.credits());
        cluster.network.underWay.clear();
        cluster.passTime(TIMEOUT);
        caller.channel.poll();
        lost.forEach(UdChannelTest::assertFailed);
        cluster.settle();
        assertThat(served).as("of those that waited").isZero();
        Completion next = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        cluster.passTime(TIMEOUT / 2);
        cluster.settle();
        assertSucceeded(next);
    }

    // Flow control.

    // Goal: a flood of calls overruns no receiver, however small the rings are.
    // Method: three nodes send long messages, in both directions, to one node with room for the credits of
    // just four nodes.
    @Test
    void shouldOverrunNoReceiver() {
        int credits = 8;
        UdOptions options = new UdOptions(
                TIMEOUT, 4 * (credits + UdOptions.SPARE_PACKETS), 16, credits, UdOptions.DEFAULT.messageBytesMax());
        UdCluster flooded = new UdCluster(4, options);
        for (UdCluster.Node node : flooded.nodes) {
            node.handle(ECHO, this::echo);
        }
        List<Completion> completions = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            for (UdCluster.Node node : flooded.nodes) {
                completions.add(node.call(0, ECHO, 0, 8 * (i % 100), 8192, 8 * (i % 100)));
                completions.add(node.call(i % 4, ECHO, 0, 8 * (i % 100), 8192, 8 * (i % 100)));
            }
        }
        flooded.settle();
        completions.forEach(UdChannelTest::assertSucceeded);
        assertThat(flooded.network.overruns).isZero();
        assertThat(flooded.network.delivered).isGreaterThan(1000);
    }

    @Test
    void shouldAskForCreditWhenAllThatWouldGiveItIsLost() {
        log.expect();
        server.handle(ECHO, this::echo);
        for (int i = 0; i < UdOptions.DEFAULT.credits(); i++) {
            caller.call(1, ECHO, 0, UdCluster.ROOM, 1024, 8);
        }
        caller.channel.poll();
        cluster.network.underWay.clear();
        Completion waiting = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertThat(waiting.outstanding()).isOne();
        cluster.passTime(TIMEOUT / 8);
        cluster.settle();
        assertSucceeded(waiting);
        assertThat(caller.channel.counters().probes()).isOne();
        assertThat(server.channel.counters().packetsMissing()).isEqualTo(UdOptions.DEFAULT.credits());
    }

    @Test
    void shouldContinueWhenTheDeviceHasRoomAgain() {
        UdCluster narrow = new UdCluster(2, new UdOptions(TIMEOUT, 1024, 16, 32, 1 << 20));
        narrow.nodes[1].handle(ECHO, this::echo);
        Completion completion = narrow.nodes[0].call(1, ECHO, 0, 20 * UdCluster.ROOM, 65_536, 8);
        assertThat(narrow.nodes[0].channel.poll())
                .as("work, so that the worker does not sleep")
                .isPositive();
        assertThat(narrow.network.underWay).hasSizeBetween(16, 31);
        narrow.settle();
        assertSucceeded(completion);
    }

    // Peers that connect and leave.

    @Test
    void shouldFailOutstandingAndNewCallsToADisconnectedPeer() {
        UdCluster three = new UdCluster(3, UdOptions.DEFAULT);
        UdCluster.Node here = three.nodes[0];
        three.nodes[1].handle(ECHO, this::echo);
        three.nodes[2].handle(ECHO, this::echo);
        Completion sent = here.call(1, ECHO, 0, 64);
        here.channel.poll();
        Completion waiting = here.call(1, ECHO, 0, 64);
        Completion other = here.call(2, ECHO, 0, 64);
        here.channel.disconnect(1);
        assertFailed(sent);
        assertFailed(waiting);
        assertThat(other.outstanding()).isOne();
        assertFailed(here.call(1, ECHO, 0, 64));
        assertFailed(here.call(9, ECHO, 0, 64));
        three.settle();
        assertSucceeded(other);
        assertThat(here.channel.callsMade()).isEqualTo(3);
    }

    @Test
    void shouldReconnectAndIgnoreRepliesOnTheOldConnection() {
        List<RpcRequest> held = new ArrayList<>();
        server.handle(ECHO, held::add);
        Completion old = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        caller.channel.disconnect(1);
        assertFailed(old);
        cluster.connect(caller, server); // the server has not noticed anything

        held.forEach(this::echo); // replies on the old connection
        cluster.settle();
        assertThat(caller.buffers.getLong(64)).isZero();
        held.clear();
        cluster.connect(server, caller);
        Completion fresh = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        held.forEach(this::echo);
        cluster.settle();
        assertSucceeded(fresh);
    }

    // Goal: once a call on the new connection has succeeded, no call of the old one is served any more.
    @Test
    void shouldNotServeACallOfTheOldConnectionOnceItIsConnectedAnew() {
        server.handle(ECHO, this::echo);
        Completion old = caller.call(1, ECHO, 0, 64);
        caller.channel.poll();
        cluster.network.deliverAll(); // to the server's receive ring; its worker does not look
        cluster.connect(caller, server);
        cluster.connect(server, caller);
        assertFailed(old);
        Completion fresh = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertSucceeded(fresh);
        assertThat(served).isOne();
    }

    // Goal: of two nodes that connect anew, the first can call the other before the other has done so.
    @Test
    void shouldKeepPacketsUntilTheirSenderIsConnectedAnew() {
        server.handle(ECHO, this::echo);
        cluster.connect(caller, server);
        Completion early = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertThat(served).isZero();
        cluster.connect(server, caller);
        cluster.settle();
        assertSucceeded(early);
        assertThat(server.channel.counters().packetsOfUnknownPeers()).isZero();
    }

    @Test
    void shouldDropPacketsOfAnEarlierIncarnation() {
        server.handle(ECHO, this::echo);
        Completion old = caller.call(1, ECHO, 0, 64);
        cluster.step();
        server.channel.poll();
        List<FakePackets.Packet> past = cluster.network.take(packet -> true);
        UdCluster.Node restarted = cluster.restart(1);
        restarted.handle(ECHO, this::echo);
        cluster.connect(caller, restarted);
        cluster.connect(restarted, caller);
        assertFailed(old);
        past.forEach(cluster.network::deliver);
        Completion fresh = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertSucceeded(fresh);
        assertThat(caller.channel.counters().repliesLate()).isZero();
        cluster.connect(caller, restarted); // then the packet is kept for no peer any more
        assertThat(caller.channel.counters().packetsOfUnknownPeers()).isOne();
    }

    // Goal: of two nodes that connect, the first can call the other before the other has connected.
    @Test
    void shouldKeepPacketsUntilTheirSenderIsConnected() {
        server.handle(ECHO, this::echo);
        server.channel.disconnect(0);
        cluster.connect(caller, server);
        Completion early = caller.call(1, ECHO, 0, 64);
        Completion earlyAndLong = caller.call(1, ECHO, 0, 900, 4096, 8);
        cluster.settle();
        assertThat(served).isZero();
        cluster.connect(server, caller);
        cluster.settle();
        assertSucceeded(early);
        assertSucceeded(earlyAndLong);
        assertThat(server.channel.counters().packetsOfUnknownPeers()).isZero();
    }

    @Test
    void shouldKeepABoundedNumberOfPacketsOfUnknownPeers() {
        server.channel.disconnect(0);
        for (int i = 0; i < 100; i++) {
            caller.call(1, ECHO, 0, UdCluster.ROOM, 4096, 8);
            caller.channel.poll();
            cluster.connect(caller, server); // restores the credit
            cluster.network.deliverAll();
            server.channel.poll();
        }
        assertThat(server.channel.counters().packetsOfUnknownPeers()).isEqualTo(100 - 64);
    }

    @Test
    void shouldDropTheReplyToAPeerThatHasGone() {
        List<RpcRequest> held = new ArrayList<>();
        server.handle(ECHO, held::add);
        caller.call(1, ECHO, 0, 64);
        caller.call(1, ECHO, 0, 900, 4096, 8);
        caller.channel.poll();
        cluster.network.underWay.removeLast();
        cluster.settle();
        assertThat(held).hasSize(1);
        server.channel.disconnect(0);
        held.forEach(this::echo);
        cluster.settle();
        assertThat(server.channel.requestsFree())
                .as("the one that was held and the one of which a part is missing")
                .isEqualTo(server.channel.requestsMade())
                .isEqualTo(2);
    }

    @Test
    void shouldFailEverythingWhenTheDeviceGivesUp() {
        Completion outstanding = caller.call(1, ECHO, 0, 64);
        caller.channel.poll();
        caller.port.broken = true;
        caller.channel.poll();
        assertFailed(outstanding);
        assertFailed(caller.call(1, ECHO, 0, 64));
    }

    // Goal: a worker whose port has failed can sleep, though a reply waits to be sent.
    @Test
    void shouldHaveNoWorkWhenTheDeviceGaveUp() {
        List<RpcRequest> held = new ArrayList<>();
        server.handle(ECHO, held::add);
        caller.call(1, ECHO, 0, 64);
        cluster.settle();
        server.port.broken = true;
        held.forEach(this::echo);
        server.channel.poll();
        assertThat(server.channel.poll()).isZero();
    }

    // Invalid packets.

    @Test
    void shouldDropMalformedPacketsAndLogThemOnce() {
        log.expect();
        server.handle(ECHO, this::echo);
        for (int i = 0; i < 3; i++) {
            cluster.network.deliver(new FakePackets.Packet(caller.port, server.port, new byte[16 * i]));
        }
        Completion completion = caller.call(1, ECHO, 0, 64);
        cluster.settle();
        assertSucceeded(completion);
        assertThat(server.channel.counters().packetsMalformed()).isEqualTo(3);
        assertThat(log.messages()).singleElement().asString().contains("shorter than its header");
    }

    @Test
    void shouldDropAReplyThatHasNoRoom() {
        log.expect();
        server.handle(ECHO, this::echo);
        Completion completion = caller.call(1, ECHO, 0, 64);
        cluster.step();
        server.channel.poll();
        FakePackets.Packet reply = cluster.network.take(packet -> true).getFirst();
        // The same reply, of 16 bytes instead of 8.
        byte[] longer = Arrays.copyOf(reply.bytes(), reply.bytes().length + 8);
        longer[20] = (byte) (longer[20] + 8);
        longer[24 + 12] = 16;
        longer[24 + 16] = 16;
        cluster.network.deliver(new FakePackets.Packet(server.port, caller.port, longer));
        caller.channel.poll();
        assertThat(completion.outstanding()).isOne();
        assertThat(caller.buffers.getLong(64)).isZero();
        assertThat(log.messages()).singleElement().asString().contains("does not fit the call");
    }

    @Test
    void shouldRefuseARequestThatIsTooLong() {
        log.expect();
        UdCluster strict = new UdCluster(2, new UdOptions(TIMEOUT, 64, 16, 8, 1024));
        assertFailed(strict.nodes[0].call(1, ECHO, 0, 1025, 4096, 8));
        assertThat(log.messages()).singleElement().asString().contains("1025", "1024");
    }

    @Test
    void shouldRefuseOptionsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new UdOptions(TIMEOUT, 1024, 16, 65, 1024))
                .withMessage("credits: got 65, allowed: an integer from 4 to 64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdOptions.DEFAULT.withCallTimeoutNanos(0))
                .withMessageContaining("call-timeout");
    }

    // Goal: on any network, every call ends, a successful call has its own reply, and no handler runs twice
    // for one call.
    // Method: random calls between random nodes on a network that loses, repeats, reorders, delays and
    // spoils packets.
    @Test
    void shouldEndEveryCallOnABadNetwork() {
        log.expect();
        Seeds.forEach(60, random -> {
            BadNetwork bad = new BadNetwork(random);
            bad.run();
            bad.check();
        });
    }

    @Test
    void shouldAllocateNothingOnceWarm() {
        QuietNetwork quiet = new QuietNetwork(ECHO, request -> {
            request.response()
                    .putLong(request.responseOffset(), ~request.payload().getLong(request.payloadOffset()));
            request.reply(Memory.WORD_BYTES);
        });
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 20_000;
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                quiet.round(ECHO);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / rounds);
        }
        assertThat(least).as("bytes per round").isZero();
    }

    private void echo(RpcRequest request) {
        served++;
        int bytes = Math.min(request.payloadBytes(), request.responseCapacity());
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            request.response()
                    .putLong(request.responseOffset() + i, ~request.payload().getLong(request.payloadOffset() + i));
        }
        request.reply(bytes);
    }

    static void fill(Memory memory, long offset, int bytes, long seed) {
        for (int i = 0; i < bytes; i += Memory.WORD_BYTES) {
            memory.putLong(offset + i, seed * 1_000_003 + i);
        }
    }

    private static void assertEcho(Memory memory, long offset, int bytes, long seed) {
        for (int i = 0; i + Memory.WORD_BYTES <= bytes; i += Memory.WORD_BYTES) {
            assertThat(memory.getLong(offset + i)).as("byte %d", i).isEqualTo(~(seed * 1_000_003 + i));
        }
    }

    static void shuffle(List<FakePackets.Packet> packets, SplittableRandom random) {
        for (int i = packets.size() - 1; i > 0; i--) {
            packets.set(i, packets.set(random.nextInt(i + 1), packets.get(i)));
        }
    }

    private static void assertSucceeded(Completion completion) {
        assertThat(completion.outstanding()).as("outstanding").isZero();
        assertThat(completion.await()).as("succeeded").isTrue();
    }

    private static void assertFailed(Completion completion) {
        assertThat(completion.outstanding()).as("outstanding").isZero();
        assertThat(completion.await()).as("succeeded").isFalse();
    }
}
