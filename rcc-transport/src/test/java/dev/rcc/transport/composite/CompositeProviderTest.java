package dev.rcc.transport.composite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.shm.ShmProvider;
import dev.rcc.transport.tcp.TcpProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositeProviderTest {
    private static final Zones ZONES = Zones.of(List.of("a", "a", "b", "b"));

    /** A network of NICs, reduced to its properties before a node is attached. */
    private record Nics(Atomicity atomicity) implements FabricProvider {
        @Override
        public String name() {
            return "nics";
        }

        @Override
        public List<Option> options() {
            return List.of();
        }

        @Override
        public FabricProvider with(OptionValues values) {
            return this;
        }

        @Override
        public Fabric attach(Control control) {
            throw new UnsupportedOperationException();
        }
    }

    private static FabricProvider pair(FabricProvider inside) {
        return new CompositePairing().pair(inside, new TcpProvider(), ZONES);
    }

    // Goal: with NICs whose atomics exclude only each other, the code that is chosen for users has no
    // atomics.
    @Test
    void shouldSuitCodesWithoutAtomicsIfTheNetworkInsideHasDeviceAtomicity() {
        FabricProvider pair = pair(new Nics(Atomicity.DEVICE));
        assertThat(pair.name()).isEqualTo("nics+tcp");
        assertThat(pair.atomicity()).isEqualTo(Atomicity.NONE);
        assertThat(pair.suitable()).isEqualTo(Primitive.RPC);
    }

    @Test
    void shouldSuitTheCodesOfTheNetworkInsideIfAtomicityIsGlobal() {
        FabricProvider pair = pair(new Nics(Atomicity.GLOBAL));
        assertThat(pair.atomicity()).isEqualTo(Atomicity.GLOBAL);
        assertThat(pair.suitable()).isEqualTo(Primitive.ONE_SIDED);
    }

    // Goal: faults slow down the links between zones, and shared memory stays as fast as before.
    @Test
    void shouldSlowDownTheLinksBetweenZones() {
        LinkFaults faults = new LinkFaults(1);
        CompositeProvider slowed =
                (CompositeProvider) pair(new ShmProvider()).withFaults(faults).orElseThrow();
        assertThat(slowed.inside()).isEqualTo(new ShmProvider());
        assertThat(((TcpProvider) slowed.between()).chosen().faults()).containsSame(faults);
        assertThat(((TcpProvider) slowed.between()).chosen().isSlower()).isTrue();
    }

    // Goal: the pair names both the option of its shared name on the host and the option of the host on
    // which it listens.
    @Test
    void shouldHaveTheOptionsOfBoth() {
        FabricProvider pair = pair(new ShmProvider());
        assertThat(pair.sharedNameOption())
                .hasValueSatisfying(option -> assertThat(option.key()).isEqualTo("shm.cluster"));
        assertThat(pair.hostOption())
                .hasValueSatisfying(option -> assertThat(option.key()).isEqualTo("tcp.host"));
        assertThat(pair.options())
                .extracting(Option::key)
                .contains("shm.ring-bytes", "tcp.port")
                .doesNotHaveDuplicates();
    }
}
