package dev.rcc.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZonesTest {
    @Test
    void shouldNumberZonesInTheOrderOfNodesAndNodesByRank() {
        Zones zones = Zones.of(List.of("west", "east", "west", "north.1", "east", "west"));
        assertThat(zones.names()).containsExactly("west", "east", "north.1");
        assertThat(zones.nodes(0)).containsExactly(0, 2, 5);
        assertThat(zones.nodes("east")).containsExactly(1, 4);
        assertThat(zones.nodes("south")).isEmpty();
        assertThat(zones.rank(5)).isEqualTo(2);
        assertThat(zones.rank(3)).isZero();
        assertThat(zones.zone(4)).isEqualTo(1);
        assertThat(zones.nameOf(4)).isEqualTo(zones.name(1)).isEqualTo("east");
        assertThat(zones).hasToString("west,east,west,north.1,east,west");
    }

    @Test
    void shouldBeOneZoneIfNoneIsNamed() {
        Zones zones = Zones.single(3);
        assertThat(zones.count()).isOne();
        assertThat(zones.nodes()).isEqualTo(3);
        assertThat(zones).isEqualTo(Zones.single(3)).isNotEqualTo(Zones.single(2));
        assertThat(zones).isNotEqualTo(Zones.of(List.of("a", "a", "a")));
        assertThat(zones.areNamed()).isFalse();
        assertThat(Zones.of(List.of("a", "a", "a")).areNamed()).isTrue();
        assertThat(Zones.of(List.of(Zones.DEFAULT_NAME, "a")).areNamed()).isTrue();
    }

    @Test
    void shouldHaveRoomForAsManyReplicasAsTheSmallestZoneAllows() {
        assertThat(Zones.single(5).replicasMax()).isEqualTo(5);
        assertThat(Zones.of(List.of("a", "a", "b", "b", "b")).replicasMax()).isEqualTo(4);
        assertThat(Zones.of(List.of("a", "a", "b", "c")).replicasMax()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n0", "n17", "a b", "a,b", "a-b", "\u00e9"})
    void shouldRefuseInvalidNamesAndNamesOfNodes(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Zones.of(List.of("a", name)))
                .withMessageEndingWith("got '" + name + "'");
    }

    @Test
    void shouldRefuseNoNodes() {
        assertThatIllegalArgumentException().isThrownBy(() -> Zones.of(List.of()));
    }
}
