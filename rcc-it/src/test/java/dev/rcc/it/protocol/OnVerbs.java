package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.server.NetworkChoice;
import dev.rcc.server.VerbsNetwork;
import dev.rcc.transport.verbs.VerbsOptions;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocols on RDMA verbs, on a machine that has a device or in the lab. The lab emulates the device and the processor, so
 * there few codes do, in a fraction of the rounds.
 */
interface OnVerbs extends OnNetwork {
    /** {@link #sample}, one after the other. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("dev.rcc.it.protocol.OnVerbs#sample")
    @interface SampleInLab {}

    /** Percent of the rounds that run in the lab. */
    int LAB_ROUNDS = 20;
    /** One that locks what it reads, and one that looks at versions. */
    Set<String> LAB_SAMPLE = Set.of("nowait", "mvcc");
    /** A call that waits for locks, on an emulated processor that others use too, is not lost after the usual time. */
    long LAB_RPC_TIMEOUT_MILLIS = 60_000;

    @Override
    default NetworkChoice network() {
        VerbsOptions options = VerbsOptions.DEFAULT;
        return new VerbsNetwork(isInLab() ? options.withRpcTimeoutMillis(LAB_RPC_TIMEOUT_MILLIS) : options);
    }

    @Override
    default Atomicity atomicity() {
        return Device.ATOMICITY;
    }

    /** Asked once: contracts ask for each code, and opening a device takes long in the lab. */
    final class Device {
        static final Atomicity ATOMICITY = new VerbsNetwork(VerbsOptions.DEFAULT).atomicity();

        private Device() {}
    }

    /** In the lab, if nobody asks for more: only one-sided. Atomicity's tests run both uniform codes, and one test a sample. */
    @Override
    default boolean isTried(HybridCode code) {
        return !isShort() || code.digits().indexOf('0') < 0;
    }

    @Override
    default int rounds(int usual) {
        int percent = Integer.getInteger("rcc.network.rounds", isInLab() ? LAB_ROUNDS : 100);
        return Math.max(1, usual * percent / 100);
    }

    /** Protocols for the many tests of records and scans, which ask little of a network: in the lab a sample, else all. */
    static Stream<Named<Protocol>> sample() {
        return EachProtocol.protocols().filter(protocol -> !isShort() || LAB_SAMPLE.contains(protocol.getName()));
    }

    /** Whether a cluster costs so much that few of them must do. */
    static boolean isShort() {
        return isInLab() && Integer.getInteger("rcc.network.codes") == null;
    }

    private static boolean isInLab() {
        return "guest".equals(System.getenv("RCC_LAB"));
    }
}
