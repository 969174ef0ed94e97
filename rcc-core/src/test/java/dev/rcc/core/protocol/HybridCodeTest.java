package dev.rcc.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link HybridCode} and {@link WordChange}. */
class HybridCodeTest {
    private final Protocol protocol = new FakeProtocol();

    @Test
    void shouldReadAllThreeNotations() {
        assertThat(HybridCode.parse(protocol, "rpc").digits()).isEqualTo("000");
        assertThat(HybridCode.parse(protocol, "one-sided").digits()).isEqualTo("111");
        assertThat(HybridCode.parse(protocol, "101").digits()).isEqualTo("101");
        assertThat(HybridCode.parse(protocol, "commit=one-sided,lock=rpc,log=one-sided")
                        .digits())
                .isEqualTo("011");
    }

    @Test
    void shouldParseTheNotationsThatItPrints() {
        List<HybridCode> all = HybridCode.all(protocol);
        assertThat(all)
                .extracting(HybridCode::digits)
                .containsExactly("000", "001", "010", "011", "100", "101", "110", "111");
        for (HybridCode code : all) {
            assertThat(HybridCode.parse(protocol, code.digits()).digits()).isEqualTo(code.digits());
            assertThat(HybridCode.parse(protocol, code.describe()).digits()).isEqualTo(code.digits());
            assertThat(code).hasToString(code.digits());
            for (int stage = 0; stage < 3; stage++) {
                assertThat(code.isOneSided(stage)).isEqualTo(code.digits().charAt(stage) == '1');
                assertThat(code.primitive(stage).digit())
                        .isEqualTo(code.digits().charAt(stage));
            }
        }
        assertThat(all.get(4).describe()).isEqualTo("lock=one-sided,log=rpc,commit=rpc");
    }

    @Test
    void shouldRefuseAnInvalidCodeAndListTheAllowedOnes() {
        for (String bad : new String[] {
            "",
            "10",
            "1010",
            "102",
            "RPC",
            "lock=rpc",
            "lock=rpc,log=rpc,commit=rpc,lock=rpc",
            "lock=rpc,lock=rpc,log=rpc",
            "lock=rpc,log=rpc,commit=2",
            "lock=rpc,log=rpc,unlock=rpc",
            "lock=rpc,log=rpc,commit=rpc,",
            "lock=rpc,log,commit=rpc",
            "=,=,="
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> HybridCode.parse(protocol, bad))
                    .withMessage(
                            "got '" + bad + "'; allowed for fake: rpc, one-sided, 3 digits 0 (rpc) or 1 (one-sided)"
                                    + " for the stages lock, log, commit, or"
                                    + " lock=rpc|one-sided,log=rpc|one-sided,commit=rpc|one-sided");
        }
    }

    // The fake changes its lock word in lock and commit: by the CPU in the RPC forms, by CAS in lock one-sided.
    @Test
    void shouldRefuseToMixCpuAndRemoteAtomicsOnOneWordWhereOnlyTheDeviceIsAtomic() {
        for (HybridCode code : HybridCode.all(protocol)) {
            assertThat(WordChange.conflict(protocol, code, Atomicity.GLOBAL)).isEmpty();
            boolean mixed = code.isOneSided(0) && !code.isOneSided(2);
            assertThat(WordChange.conflict(protocol, code, Atomicity.DEVICE).isPresent())
                    .as("code %s", code)
                    .isEqualTo(mixed);
        }
        assertThat(WordChange.conflict(protocol, HybridCode.parse(protocol, "110"), Atomicity.DEVICE))
                .contains("code 110 of fake changes the lock word by the owner's CPU in stage commit and by remote"
                        + " atomics in stage lock, and this network's remote atomics are not atomic against the CPU");
    }

    // Atomics that arrive by one network are not atomic against those of the other, so no one-sided form
    // helps.
    @Test
    void shouldRefuseRemoteAtomicsWhereTheyDoNotExcludeEachOther() {
        for (HybridCode code : HybridCode.all(protocol)) {
            assertThat(WordChange.conflict(protocol, code, Atomicity.NONE).isPresent())
                    .as("code %s", code)
                    .isEqualTo(code.isOneSided(0));
        }
        assertThat(WordChange.conflict(protocol, HybridCode.parse(protocol, "111"), Atomicity.NONE))
                .contains(
                        "code 111 of fake changes the lock word by remote atomics in stage lock, and remote atomics of"
                                + " the two networks are not atomic against each other");
    }

    /** Lock, log, commit; the log has a word of its own, and a one-sided commit resets the lock by a WRITE. */
    private static final class FakeProtocol implements Protocol {
        private static final SharedWord LOG_TAIL = new SharedWord("log tail");

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public List<String> stages() {
            return List.of("lock", "log", "commit");
        }

        @Override
        public int metadataBytes() {
            return 8;
        }

        @Override
        public Set<WordChange> changes(int stage, Primitive primitive) {
            boolean rpc = primitive == Primitive.RPC;
            return switch (stage) {
                case 0 ->
                    Set.of(new WordChange(
                            SharedWord.LOCK, rpc ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_ATOMIC));
                case 1 -> Set.of(new WordChange(LOG_TAIL, rpc ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_WRITE));
                default ->
                    Set.of(new WordChange(SharedWord.LOCK, rpc ? WordChange.By.OWNER_CPU : WordChange.By.REMOTE_WRITE));
            };
        }

        @Override
        public void recover(Memory memory, long offset, long bound) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isLocked(Memory memory, long offset) {
            return memory.getAcquire(offset) != 0;
        }

        @Override
        public void serve(WorkerContext context) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Coordinator coordinator(WorkerContext context, Transaction txn) {
            throw new UnsupportedOperationException();
        }
    }
}
