package dev.rcc.protocols.locks.dslr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DueClaimsTest {
    private static DslrClaim claim(long dueNanos) {
        DslrClaim claim = new DslrClaim(null, null, 0);
        claim.dueNanos = dueNanos;
        return claim;
    }

    // Goal: through any puts, moves and removals, the first claim is the one that is due first.
    // Method: compare with a list, from seeds; times wrap around.
    @Test
    void shouldGiveTheClaimThatIsDueFirst() {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            DueClaims due = new DueClaims();
            List<DslrClaim> all = new ArrayList<>();
            long base = random.nextBoolean() ? Long.MAX_VALUE - 50 : 0;
            for (int step = 0; step < 500; step++) {
                int what = random.nextInt(4);
                if (what < 2 || all.isEmpty()) {
                    DslrClaim claim = claim(base + random.nextInt(100));
                    all.add(claim);
                    due.put(claim);
                } else if (what == 2) {
                    DslrClaim moved = all.get(random.nextInt(all.size()));
                    moved.dueNanos = base + random.nextInt(100);
                    due.put(moved);
                } else {
                    DslrClaim first = due.removeFirst();
                    assertThat(first.place).isEqualTo(DueClaims.NOWHERE);
                    assertThat(all.stream()
                                    .mapToLong(each -> each.dueNanos - base)
                                    .min())
                            .as("seed %s", seed)
                            .hasValue(first.dueNanos - base);
                    all.remove(first);
                }
                assertThat(due.isEmpty()).isEqualTo(all.isEmpty());
            }
        }
    }

    @Test
    void shouldAcceptAClaimAgainAfterItsRemoval() {
        DueClaims due = new DueClaims();
        DslrClaim one = claim(1);
        due.put(one);
        assertThat(due.first()).isSameAs(one);
        assertThat(due.removeFirst()).isSameAs(one);
        assertThat(due.isEmpty()).isTrue();
        due.put(one);
        assertThat(due.first()).isSameAs(one);
    }
}
