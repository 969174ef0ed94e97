package dev.rcc.transport.verbs.ibv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.fabric.Atomicity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The native layer on the first device that is there. */
@Tag("rdma")
class VerbsDeviceTest {
    private static final int PORT = 1;
    private static final int QKEY = 0x11;
    private static final int BYTES = 4096;
    private static final int GRH_BYTES = 40;
    private static final QpSize SIZE = new QpSize(16, 16, 1, 1, 16);
    private static final RcTimers TIMERS = new RcTimers(14, 7, 7, 12);
    private static final long HANG_NANOS = 20_000_000_000L;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final SendWrs wrs = new SendWrs(8, 16);
    private final WorkCompletions completions = new WorkCompletions(8);
    private Arena arena;
    private MemorySegment memory;
    private VerbsDevice device;
    private Gid gid;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private MemoryRegion region;

    @BeforeEach
    void openDevice() {
        arena = Arena.ofShared();
        memory = arena.allocate(BYTES, BYTES);
        device = opened(VerbsLibrary.load().open(""));
        gid = device.gid(PORT, -1);
        pd = opened(device.allocPd());
        cq = opened(device.createCq(64, null, 0));
        region = opened(pd.register(memory, Access.ALL));
    }

    @AfterEach
    void closeDevice() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        arena.close();
    }

    @Test
    void shouldReportTheAttributesOfTheDevice() {
        DeviceAttributes attributes = device.attributes();
        assertThat(attributes.atomicity()).contains(Atomicity.DEVICE);
        assertThat(attributes.qpReadAtomicMax()).isPositive();
        assertThat(attributes.ports()).isPositive();
        assertThat(device.port(PORT).active()).isTrue();
        assertThat(device.port(PORT).activeMtuBytes()).isGreaterThanOrEqualTo(256);
        assertThat(device.maxInline()).isGreaterThanOrEqualTo(8);
        assertThat(VerbsLibrary.load().devices()).contains(device.name());
        assertThat(device.gids(PORT)).contains(gid);
        assertThat(device.gid(PORT, gid.index())).isEqualTo(gid);
    }

    @Test
    void shouldCarryOutAChainInOrderWithOneCompletion() {
        QueuePair qp = connectToItself();
        long word = region.address(0, 8);
        long results = region.address(512, 64);
        int lkey = region.lkey();
        int rkey = region.rkey();
        memory.set(ValueLayout.JAVA_LONG, 256, 77);
        wrs.writeWord(0, 1, 10, word, rkey, 0);
        wrs.cas(1, 2, results, lkey, word, rkey, 10, 20, 0);
        wrs.cas(2, 3, results + 8, lkey, word, rkey, 10, 30, 0);
        wrs.fetchAdd(3, 4, results + 16, lkey, word, rkey, 5, 0);
        wrs.write(4, 5, region.address(256, 8), 8, lkey, region.address(8, 8), rkey, 0);
        wrs.read(5, 6, results + 24, 16, lkey, word, rkey, SendFlags.SIGNALED);
        wrs.end(5);
        qp.postSend(wrs, 0);
        assertThat(complete()).isEqualTo(WcStatus.SUCCESS);
        assertThat(completions.wrId(0)).isEqualTo(6);
        assertThat(memory.asSlice(512, 40).toArray(ValueLayout.JAVA_LONG)).containsExactly(10, 20, 20, 25, 77);
        assertThat(cq.poll(completions)).isZero();
    }

    @Test
    void shouldSendAndReceive() {
        QueuePair qp = connectToItself();
        RecvWrs receives = new RecvWrs(1);
        receives.set(0, 9, region.address(64, 64), 64, region.lkey());
        qp.postRecv(receives, 0);
        memory.set(ValueLayout.JAVA_LONG, 0, 5);
        wrs.sendImm(0, 8, region.address(0, 8), 8, region.lkey(), 1234, 0);
        wrs.end(0);
        qp.postSend(wrs, 0);
        assertThat(complete()).isEqualTo(WcStatus.SUCCESS);
        assertThat(completions.wrId(0)).isEqualTo(9);
        assertThat(completions.imm(0)).isEqualTo(1234);
        assertThat(completions.bytes(0)).isEqualTo(8);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(5);
    }

    @Test
    void shouldSendDatagrams() {
        QueuePair qp = opened(pd.createUd(cq, cq, SIZE, false));
        qp.startDatagrams(PORT, QKEY, 0);
        AddressHandle ah = opened(pd.createAddressHandle(pathToItself()));
        RecvWrs receives = new RecvWrs(1);
        receives.set(0, 9, region.address(64, 128), 128, region.lkey());
        qp.postRecv(receives, 0);
        wrs.send(0, 8, 0, 0, 0, 0);
        wrs.inline(0, MemorySegment.ofArray(new long[] {42}), 0, 8);
        wrs.to(0, ah, qp.number(), QKEY);
        wrs.end(0);
        qp.postSend(wrs, 0);
        assertThat(complete()).isEqualTo(WcStatus.SUCCESS);
        assertThat(completions.sourceQueuePair(0)).isEqualTo(qp.number());
        assertThat(completions.bytes(0)).isEqualTo(GRH_BYTES + 8);
        assertThat(completions.flags(0) & WorkCompletions.FLAG_GRH).isNotZero();
        assertThat(memory.get(ValueLayout.JAVA_LONG, 64 + GRH_BYTES)).isEqualTo(42);
    }

    @Test
    void shouldNotifyOfACompletionThroughTheChannel() {
        CompletionChannel channel = opened(device.createChannel());
        cq = opened(device.createCq(16, channel, 4711));
        QueuePair qp = connectToItself();
        cq.requestNotify();
        assertThat(channel.await(0)).isFalse();
        wrs.writeWord(0, 1, 10, region.base(), region.rkey(), SendFlags.SIGNALED);
        wrs.end(0);
        qp.postSend(wrs, 0);
        assertThat(channel.await(20_000)).isTrue();
        assertThat(channel.next()).isEqualTo(4711);
        assertThat(complete()).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void shouldCompleteAWrongKeyAsAnErrorAndFlushTheRest() {
        QueuePair qp = connectToItself();
        wrs.read(0, 1, region.address(64, 8), 8, region.lkey(), region.base(), region.rkey() + 1, 0);
        wrs.writeWord(1, 2, 7, region.base(), region.rkey(), SendFlags.SIGNALED);
        wrs.end(1);
        qp.postSend(wrs, 0);
        assertThat(complete()).isEqualTo(WcStatus.REMOTE_ACCESS);
        assertThat(complete()).isEqualTo(WcStatus.FLUSHED);
        assertThat(qp.state()).isEqualTo(QpState.ERROR);
        assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @Test
    void shouldReachPastTwoGibibytes() {
        long bytes = (2L << 30) + BYTES;
        MemorySegment big = map(bytes);
        MemoryRegion bigRegion = opened(pd.register(big, Access.ALL));
        QueuePair qp = connectToItself();
        wrs.writeWord(0, 1, 99, bigRegion.address(bytes - 8, 8), bigRegion.rkey(), SendFlags.SIGNALED);
        wrs.end(0);
        qp.postSend(wrs, 0);
        assertThat(complete()).isEqualTo(WcStatus.SUCCESS);
        assertThat(big.get(ValueLayout.JAVA_LONG, bytes - 8)).isEqualTo(99);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> bigRegion.address(bytes - 4, 8));
    }

    @Test
    void shouldRefuseMoreThanTheQueueTakes() {
        QueuePair qp = opened(pd.createRc(cq, cq, SIZE, false)); // not connected: it accepts no sends
        wrs.writeWord(0, 1, 10, region.base(), region.rkey(), SendFlags.SIGNALED);
        wrs.end(0);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> qp.postSend(wrs, 0))
                .withMessageContaining("post_send");
    }

    @Test
    void shouldRejectUseAfterClose() {
        QueuePair qp = connectToItself();
        qp.close();
        qp.close();
        assertThatIllegalStateException().isThrownBy(() -> qp.postSend(wrs, 0)).withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(qp::state);
        region.close();
        assertThatIllegalStateException().isThrownBy(region::lkey).withMessageContaining("is closed");
        CompletionQueue other = device.createCq(1, null, 0);
        other.close();
        assertThatIllegalStateException().isThrownBy(() -> other.poll(completions));
        assertThatIllegalStateException().isThrownBy(other::requestNotify);
        assertThatIllegalStateException().isThrownBy(() -> pd.createRc(other, other, SIZE, false));
    }

    @Test
    void shouldRefuseToCloseObjectsThatAreInUse() {
        connectToItself();
        assertThatIllegalStateException().isThrownBy(cq::close).withMessageContaining("that use it first");
        assertThatIllegalStateException().isThrownBy(pd::close);
        assertThatIllegalStateException().isThrownBy(device::close);
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThatExceptionOfType(VerbsUnavailable.class)
                .isThrownBy(() -> VerbsLibrary.load().open("nosuch0"))
                .withMessageContaining("nosuch0")
                .withMessageContaining(device.name());
        assertThatIllegalArgumentException().isThrownBy(() -> device.port(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> device.gid(PORT, 99))
                .withMessageContaining("index 99");
        assertThatIllegalArgumentException().isThrownBy(() -> pd.register(MemorySegment.ofArray(new byte[8]), 0));
        assertThatIllegalArgumentException().isThrownBy(() -> pd.register(memory, 1 << 20));
        assertThatIllegalArgumentException().isThrownBy(() -> device.createCq(0, null, 0));
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> device.createCq(Integer.MAX_VALUE, null, 0));
        QueuePair rc = opened(pd.createRc(cq, cq, SIZE, false));
        assertThatIllegalStateException().isThrownBy(() -> rc.startDatagrams(PORT, QKEY, 0));
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> rc.toReadyToSend(0, 1, TIMERS))
                .withMessageContaining("READY_TO_SEND");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> wrs.end(8));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> rc.postSend(wrs, -1));
        // Unmapped memory cannot be locked; the address is in the hole between user and kernel space.
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> pd.register(Raw.segment(1L << 46, 4096), Access.ALL))
                .withMessageContaining("cannot register 4096 bytes");
    }

    // Goal: if a process may not lock enough memory, the error contains the limit and where to raise it.
    // Method: set a limit below the registered size, on a thread that gives up the privilege to ignore it
    // meanwhile.
    @Test
    void shouldReportTheLimitOfLockedMemoryAndHowToRaiseIt() {
        int memlock = 8;
        long limit = 64 * 1024;
        MemorySegment big = map(8 * limit);
        try (Arena scratch = Arena.ofConfined()) {
            NativeFunction prlimit = NativeLibrary.libc().intFunction("prlimit", 4);
            MemorySegment before = scratch.allocate(ValueLayout.JAVA_LONG, 2);
            MemorySegment lowered = scratch.allocate(ValueLayout.JAVA_LONG, 2);
            prlimit.check(0, memlock, 0, before.address());
            lowered.copyFrom(before);
            lowered.setAtIndex(ValueLayout.JAVA_LONG, 0, limit);
            prlimit.check(0, memlock, lowered.address(), 0);
            try {
                withoutCapabilities(
                        scratch,
                        () -> assertThatExceptionOfType(VerbsException.class)
                                .isThrownBy(() -> pd.register(big, Access.ALL))
                                .withMessageContaining("cannot register " + 8 * limit + " bytes")
                                .withMessageContaining(
                                        "this process may lock " + limit + " bytes: raise that (ulimit -l"));
            } finally {
                prlimit.check(0, memlock, before.address(), 0);
            }
        }
        opened(pd.register(big, Access.ALL));
    }

    /** Runs a task while this thread has none of root's capabilities in effect. */
    private static void withoutCapabilities(Arena arena, Runnable task) {
        MemorySegment header = arena.allocate(8, 8); // struct __user_cap_header_struct: version 3, this thread
        header.set(ValueLayout.JAVA_INT, 0, 0x20080522);
        MemorySegment sets =
                arena.allocate(24, 8); // struct __user_cap_data_struct[2]: effective, permitted, inheritable
        NativeFunction capget = NativeLibrary.libc().intFunction("capget", 2);
        NativeFunction capset = NativeLibrary.libc().intFunction("capset", 2);
        capget.check(header.address(), sets.address());
        int[] effective = {sets.get(ValueLayout.JAVA_INT, 0), sets.get(ValueLayout.JAVA_INT, 12)};
        sets.set(ValueLayout.JAVA_INT, 0, 0);
        sets.set(ValueLayout.JAVA_INT, 12, 0);
        capset.check(header.address(), sets.address());
        try {
            task.run();
        } finally {
            sets.set(ValueLayout.JAVA_INT, 0, effective[0]);
            sets.set(ValueLayout.JAVA_INT, 12, effective[1]);
            capset.check(header.address(), sets.address());
        }
    }

    /** Memory that the kernel zeroes on first access; an arena would fill it with zeros first, which takes long in the lab. */
    private MemorySegment map(long bytes) {
        int readWrite = 3;
        int privateAnonymous = 0x22;
        long address =
                NativeLibrary.libc().pointerFunction("mmap", 6).call(0, bytes, readWrite, privateAnonymous, -1, 0);
        assertThat(address).as("mmap").isPositive();
        open.push(() -> NativeLibrary.libc().intFunction("munmap", 2).check(address, bytes));
        return Raw.segment(address, bytes);
    }

    private QueuePair connectToItself() {
        QueuePair qp = opened(pd.createRc(cq, cq, SIZE, false));
        int depth = Math.min(16, device.attributes().qpReadAtomicMax());
        qp.toInit(PORT, Access.ALL);
        qp.toReadyToReceive(
                new RcPath(pathToItself(), device.port(PORT).activeMtuBytes(), qp.number(), 7, depth), TIMERS);
        qp.toReadyToSend(7, depth, TIMERS);
        assertThat(qp.state()).isEqualTo(QpState.READY_TO_SEND);
        return qp;
    }

    private PortPath pathToItself() {
        PortAttributes port = device.port(PORT);
        return new PortPath(PORT, gid, port.lid(), gid.high(), gid.low(), port.ethernet(), 0, 0);
    }

    /** Awaits one completion, which is then the first in {@link #completions}. */
    private WcStatus complete() {
        WorkCompletions one = new WorkCompletions(1);
        long deadline = System.nanoTime() + HANG_NANOS;
        while (cq.poll(one) == 0) {
            assertThat(System.nanoTime()).as("nothing completes").isLessThan(deadline);
        }
        MemorySegment.copy(
                Raw.segment(one.address(), WcLayout.BYTES),
                0,
                Raw.segment(completions.address(), WcLayout.BYTES),
                0,
                WcLayout.BYTES);
        return completions.status(0);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.push(resource);
        return resource;
    }
}
