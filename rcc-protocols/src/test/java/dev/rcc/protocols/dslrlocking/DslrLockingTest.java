package dev.rcc.protocols.dslrlocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.dslr.DslrLayout;
import dev.rcc.protocols.locks.dslr.DslrTerms;
import dev.rcc.protocols.optimistic.OptimisticStages;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DslrLockingTest {
    private static final int TUPLE = 8;

    private final DslrLocking dslr = new DslrLocking();
    private final Memory memory = Memory.allocate(Arena.ofAuto(), 64);

    @Test
    void shouldRunUnderEveryCodeWhereAtomicsAreGlobal() {
        assertThat(admissible(Atomicity.GLOBAL)).hasSize(64);
    }

    // Only the lock stage changes the counters and the fence; tickets are handed back by its primitive, too.
    @Test
    void shouldRunUnderExactlyTheCodesThatDoNotMixAtomicsOnTheGuardWhereTheyAreTheDevices() {
        assertThat(admissible(Atomicity.DEVICE))
                .hasSize(40)
                .allMatch(code -> code.charAt(OptimisticStages.LOCK) == '0'
                        || (code.charAt(OptimisticStages.COMMIT) == '1'
                                && code.charAt(OptimisticStages.RELEASE) == '1'));
    }

    @Test
    void shouldReportATupleWithAHeldGuardAsLocked() {
        assertThat(dslr.isLocked(memory, TUPLE)).isFalse();
        memory.putLong(TUPLE, Timestamp.of(1, 0, 0));
        assertThat(dslr.isLocked(memory, TUPLE)).isTrue();
    }

    @Test
    void shouldNotReportATupleWithALeftoverTicketAsLocked() {
        memory.putLong(TUPLE + DslrLockingLayout.TICKETS, layout().ticket(LockMode.EXCLUSIVE, 1));
        assertThat(dslr.isLocked(memory, TUPLE)).isFalse();
    }

    @Test
    void shouldMakeAllTicketsVoidWhenATupleIsRecovered() {
        memory.putLong(TUPLE, Timestamp.of(1, 0, 0));
        memory.putLong(TUPLE + DslrLockingLayout.TICKETS, layout().ticket(LockMode.EXCLUSIVE, 3));
        long fence = layout().recovered(0);
        memory.putLong(TUPLE + DslrLockingLayout.FENCE, fence);
        dslr.recover(memory, TUPLE, 0);
        assertThat(dslr.isLocked(memory, TUPLE)).isFalse();
        assertThat(memory.getLong(TUPLE + DslrLockingLayout.TICKETS)).isZero();
        long recovered = memory.getLong(TUPLE + DslrLockingLayout.FENCE);
        assertThat(layout().generation(recovered)).isGreaterThan(layout().generation(fence));
        assertThat(layout().isZeroing(recovered)).isFalse();
        assertThat(layout().resetTo(recovered, LockMode.EXCLUSIVE)).isZero();
    }

    @Test
    void shouldInstallWithoutAGuardOnlyWhereLeasesAreTrusted() {
        long attempt = Timestamp.of(5, 1, 1);
        for (boolean trusts : new boolean[] {false, true}) {
            GuardRules rules = new GuardRules(trusts);
            assertThat(rules.isStillHeld(attempt, attempt)).isTrue();
            assertThat(rules.isStillHeld(attempt + 1, attempt)).isFalse();
            assertThat(rules.isStillHeld(DslrLockingLayout.FREE, attempt)).isEqualTo(trusts);
        }
    }

    // ---- other managers --------------------------------------------------------------------------------------------

    private static Protocol with(Manager manager) {
        return new DslrLocking().with(Protocols.options().parse(Map.of("dslr.manager", nameOf(manager))));
    }

    private static String nameOf(Manager manager) {
        return manager.scheme(DslrTerms.DEFAULT, true).name();
    }

    @ParameterizedTest
    @EnumSource(names = {"TRADITIONAL", "TRADITIONAL_RO"})
    void shouldRefuseAOneSidedLockStageWhereQueuesAreAskedByRpc(Manager manager) {
        Protocol protocol = with(manager);
        for (HybridCode code : HybridCode.all(protocol)) {
            boolean isOneSided = code.isOneSided(OptimisticStages.FETCH);
            assertThat(protocol.refusal(code).isPresent()).isEqualTo(isOneSided);
            assertThat(WordChange.conflict(protocol, code, Atomicity.GLOBAL)).isEqualTo(protocol.refusal(code));
        }
        assertThat(protocol.refusal(HybridCode.uniform(protocol, Primitive.ONE_SIDED)))
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("dslr.manager: got '" + nameOf(manager) + "' with lock=one-sided")
                        .contains("allowed with it: lock=rpc"));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TRADITIONAL", "TRADITIONAL_RO"})
    void shouldRunUnderAllCodesWhereLocksAreWords(Manager manager) {
        Protocol protocol = with(manager);
        assertThat(HybridCode.all(protocol))
                .allMatch(code -> protocol.refusal(code).isEmpty());
    }

    // In a manager without leases, no other node ends the lock that a dead node has left in a word.
    @ParameterizedTest
    @EnumSource(names = {"DRTM", "RETRY_ON_FAIL", "N_COSED"})
    void shouldReportALockWithoutALeaseAsLockedUntilItIsRecovered(Manager manager) {
        Protocol protocol = with(manager);
        memory.putLong(TUPLE + DslrLockingLayout.TICKETS, 0x8000_0001_0000_0000L);
        memory.putLong(TUPLE + DslrLockingLayout.FENCE, 7);
        assertThat(protocol.isLocked(memory, TUPLE)).isTrue();
        protocol.recover(memory, TUPLE, 0);
        assertThat(protocol.isLocked(memory, TUPLE)).isFalse();
        assertThat(memory.getLong(TUPLE + DslrLockingLayout.TICKETS)).isZero();
        assertThat(memory.getLong(TUPLE + DslrLockingLayout.FENCE)).isZero();
    }

    @Test
    void shouldTakeItsOptions() {
        DslrLockingOptions options = DslrLockingOptions.of(Protocols.options()
                .parse(Map.of(
                        "dslr.lease-ms", "2",
                        "dslr.poll-us", "1000",
                        "dslr.count-max", "64",
                        "dslr.trust-leases", "yes",
                        "dslr.manager", "n-cosed")));
        assertThat(options.terms().leaseNanos()).isEqualTo(2_000_000);
        assertThat(options.terms().pollNanos())
                .as("at least four looks a lease")
                .isEqualTo(500_000);
        assertThat(options.terms().countMax()).isEqualTo(64);
        assertThat(options.trustsLeases()).isTrue();
        assertThat(options.manager()).isEqualTo(Manager.N_COSED);
        assertThat(DslrLockingOptions.of(Protocols.options().parse(Map.of())))
                .isEqualTo(DslrLockingOptions.of(Protocols.options().parse(Map.of("dslr.lease-ms", "10"))));
    }

    @Test
    void shouldBeFoundByItsName() {
        assertThat(Protocols.byName("dslr")).isInstanceOf(DslrLocking.class);
        assertThat(dslr.stages()).containsExactly("lock", "guard", "validate", "log", "commit", "release");
    }

    private static DslrLayout layout() {
        return DslrLayout.of(false, 0);
    }

    private List<String> admissible(Atomicity atomicity) {
        return HybridCode.all(dslr).stream()
                .filter(code -> WordChange.conflict(dslr, code, atomicity).isEmpty())
                .map(HybridCode::digits)
                .toList();
    }
}
