package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentsTest {
    private static FragmentType named(String name) {
        return new FragmentType(name, catalog -> {
            throw new AssertionError("it is not made");
        });
    }

    // Goal: nodes with the same fragments give them the same numbers, in whatever order they were registered.
    @Test
    void shouldNumberByNameRegardlessOfTheOrder() {
        Fragments some = new Fragments(List.of(named("b"), named("a"), named("c")));
        Fragments others = new Fragments(List.of(named("c"), named("b"), named("a")));
        for (String name : List.of("a", "b", "c")) {
            assertThat(some.number(name)).isEqualTo(others.number(name)).isBetween(0, some.size() - 1);
            assertThat(some.type(some.number(name)).name()).isEqualTo(name);
        }
        assertThat(some.number("d")).isEqualTo(Fragments.UNKNOWN);
    }

    @Test
    void shouldRefuseTwoOfOneName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fragments(List.of(named("a"), named("b"), named("a"))))
                .withMessageContaining("a");
    }
}
