package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.verbs.LabDraw;
import dev.rcc.transport.verbs.VerbsOptions;
import dev.rcc.transport.verbs.VerbsProvider;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The protocols on RDMA verbs, on a machine that has a device or in the lab. The lab emulates the device and the processor, and
 * the protocols' own logic has been tried on other networks; so there the seed draws for which protocols each test runs, and few
 * codes do, in a fraction of the rounds.
 */
interface OnVerbs extends OnNetwork {
    /** The contracts that {@link #isInBuild} draws from. */
    List<String> CONTRACTS = List.of(
            "AtomicityOnVerbsTest",
            "IsolationOnVerbsTest",
            "ReplicationOnVerbsTest",
            "RecordOperationsOnVerbsTest",
            "IndexOnVerbsTest",
            "ScanOnVerbsTest",
            "FailureOnVerbsTest",
            "CalvinOrderOnVerbsTest",
            "CalvinDependencyOnVerbsTest",
            "CalvinNodeDeathOnVerbsTest");

    /** So many of them. */
    int CONTRACTS_IN_A_BUILD = 1;

    /** Percent of the rounds that run in the lab. */
    int LAB_ROUNDS = 10;
    /** A call that waits for locks, on an emulated processor that other processes use too, is not lost after the usual time. */
    long LAB_RPC_TIMEOUT_MILLIS = 60_000;

    @Override
    default FabricProvider network() {
        VerbsOptions options = VerbsOptions.DEFAULT;
        return new VerbsProvider(LabDraw.isInLab() ? options.withRpcTimeoutMillis(LAB_RPC_TIMEOUT_MILLIS) : options);
    }

    @Override
    default Atomicity atomicity() {
        return Device.ATOMICITY;
    }

    /** Asked once: contracts ask for each code, and opening a device takes long in the lab. */
    final class Device {
        static final Atomicity ATOMICITY = new VerbsProvider().atomicity();

        private Device() {}
    }

    /** In the lab, unless more are asked for: only one-sided. {@link HybridCodeOnVerbsTest} runs others. */
    @Override
    default boolean isTried(HybridCode code) {
        return !LabDraw.isShort() || code.digits().indexOf('0') < 0;
    }

    /** A device takes its time to report that a peer does not answer. */
    @Override
    default Duration patience() {
        return Duration.ofSeconds(1);
    }

    @Override
    default int rounds(int usual) {
        int percent = Integer.getInteger("rcc.network.rounds", LabDraw.isInLab() ? LAB_ROUNDS : 100);
        return Math.max(1, usual * percent / 100);
    }

    @Override
    default boolean isShort() {
        return LabDraw.isShort();
    }

    /** In an emulated processor the first test of a contract takes as long as several others, so a build has few contracts. */
    @Override
    default boolean isInBuild() {
        String name = getClass().getSimpleName();
        if (!CONTRACTS.contains(name)) {
            throw new IllegalArgumentException("contract: got '" + name + "', allowed: " + CONTRACTS);
        }
        return LabDraw.some("contracts", CONTRACTS_IN_A_BUILD, CONTRACTS).contains(name);
    }

    /** So many that each test runs for a protocol in one of four builds that have the contract. */
    @Override
    default int oneIn() {
        return 4 * Protocols.names().size();
    }

    @Override
    default int hybridCodes() {
        return 1;
    }

    @Override
    default RandomGenerator random(String what) {
        return LabDraw.random(what);
    }
}
