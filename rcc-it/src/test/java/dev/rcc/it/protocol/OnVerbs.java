package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.server.NetworkChoice;
import dev.rcc.server.VerbsNetwork;
import dev.rcc.transport.verbs.VerbsOptions;

/**
 * The protocols on RDMA verbs, on a machine that has a device or in the lab. The lab emulates the device and the processor, so
 * there the uniform codes do, in a fraction of the rounds.
 */
interface OnVerbs extends OnNetwork {
    /** Percent of the rounds that run in the lab. */
    int LAB_ROUNDS = 20;
    /** A call that waits for locks, on an emulated processor that others use too, is not lost after the usual time. */
    long LAB_RPC_TIMEOUT_MILLIS = 60_000;

    @Override
    default NetworkChoice network() {
        VerbsOptions options = VerbsOptions.DEFAULT;
        return new VerbsNetwork(isInLab() ? options.withRpcTimeoutMillis(LAB_RPC_TIMEOUT_MILLIS) : options);
    }

    @Override
    default Atomicity atomicity() {
        return network().atomicity();
    }

    @Override
    default int maxCodes() {
        return isInLab() ? 2 + Integer.getInteger("rcc.network.codes", 0) : OnNetwork.super.maxCodes();
    }

    @Override
    default int rounds(int usual) {
        int percent = Integer.getInteger("rcc.network.rounds", isInLab() ? LAB_ROUNDS : 100);
        return Math.max(1, usual * percent / 100);
    }

    private static boolean isInLab() {
        return "guest".equals(System.getenv("RCC_LAB"));
    }
}
