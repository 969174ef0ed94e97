package dev.rcc.transport.verbs.ibv;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Libraries and devices of unknown layout are refused in a sentence, before any of their functions is called. */
class UnknownVersionTest {
    private static final String REMEDY = "install it";

    private Arena arena;
    private MemorySegment verbs;
    private MemorySegment context;

    /** A device that is not opened, in the layout of the library. */
    @BeforeEach
    void layOut() {
        arena = Arena.ofConfined();
        MemorySegment device = arena.allocate(DeviceLayout.BYTES, Long.BYTES);
        device.setString(DeviceLayout.NAME, "new0");
        verbs = arena.allocate(VerbsContextLayout.BYTES, Long.BYTES);
        verbs.set(ValueLayout.JAVA_LONG, VerbsContextLayout.SZ, VerbsContextLayout.BYTES);
        context = verbs.asSlice(VerbsContextLayout.CONTEXT, ContextLayout.BYTES);
        context.set(ValueLayout.JAVA_LONG, ContextLayout.DEVICE, device.address());
        context.set(ValueLayout.JAVA_LONG, ContextLayout.ABI_COMPAT, -1);
        for (int operation : new int[] {
            ContextLayout.POST_SEND, ContextLayout.POST_RECV, ContextLayout.POLL_CQ, ContextLayout.REQ_NOTIFY_CQ
        }) {
            context.set(ValueLayout.JAVA_LONG, operation, 1);
        }
    }

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void shouldReportAMissingLibrary() {
        assertThatExceptionOfType(VerbsUnavailable.class)
                .isThrownBy(() -> NativeLibrary.open("libnosuch.so.1", REMEDY))
                .withMessage("libnosuch.so.1 is missing: " + REMEDY);
    }

    @Test
    void shouldReportALibraryThatLacksAFunctionOfTheKnownVersion() {
        NativeLibrary library = NativeLibrary.open("libc.so.6", REMEDY);
        assertThatExceptionOfType(VerbsUnavailable.class)
                .isThrownBy(() -> library.intFunction("ibv_new_one", 1))
                .withMessage("libc.so.6 has no function ibv_new_one, so it is not the version that is known here: "
                        + REMEDY);
    }

    @Test
    void shouldRefuseAContextThatIsNotExtended() {
        context.set(ValueLayout.JAVA_LONG, ContextLayout.ABI_COMPAT, 0);
        assertRefused("its context is not a verbs_context");
    }

    @Test
    void shouldRefuseAContextWhoseSizeIsNone() {
        verbs.set(ValueLayout.JAVA_LONG, VerbsContextLayout.SZ, VerbsContextLayout.BYTES_MIN - 1);
        assertRefused("its verbs_context says that it has " + (VerbsContextLayout.BYTES_MIN - 1) + " bytes");
        verbs.set(ValueLayout.JAVA_LONG, VerbsContextLayout.SZ, VerbsContextLayout.BYTES_MAX + 1);
        assertRefused("its verbs_context says that it has " + (VerbsContextLayout.BYTES_MAX + 1) + " bytes");
    }

    @Test
    void shouldRefuseAContextThatLacksAnOperation() {
        context.set(ValueLayout.JAVA_LONG, ContextLayout.POST_SEND, 0);
        assertRefused("it has no post_send");
    }

    private void assertRefused(String why) {
        assertThatExceptionOfType(VerbsUnavailable.class)
                .isThrownBy(() -> new VerbsDevice(null, context.address(), false))
                .withMessage("device new0 is laid out in a way that is not known here (" + why
                        + "): use another version of rdma-core, such as 44, or another network");
    }
}
