package dev.rcc.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SerializationGraphTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t1: r(x)0 w(x)1 | t2: r(x)1 w(x)2 | t3: r(x)2",
                "t1: w(x)1 w(y)1 | t2: r(x)0 r(y)0 | t3: r(x)1 r(y)1",
                "t1: r(x)0 w(y)1 | t2: r(y)1 w(x)1",
                "t1: r(x)7 | t2: r(x)7 | t3: r(y)1",
                "t1: r(x)0 w(x)1 r(x)1",
                "t1: w(x)1",
            })
    void shouldAcceptSerializableHistories(String history) {
        assertThat(anomaly(history)).isEmpty();
    }

    @Test
    void shouldFindALostUpdate() {
        assertThat(anomaly("t1: r(x)0 w(x)1 | t2: r(x)0 w(x)2"))
                .contains("a cycle of 2")
                .contains("t1 before t2, since t2 overwrote its version 1 of x")
                .contains("t2 before t1, since t1 overwrote version 0 of x, which it had read");
    }

    @Test
    void shouldFindAWriteSkew() {
        assertThat(anomaly("t0: w(z)1 | t1: r(x)0 r(y)0 w(x)1 | t2: r(x)0 r(y)0 w(y)1"))
                .contains("a cycle of 2")
                .contains("t1 before t2, since t2 overwrote version 0 of y, which it had read")
                .contains("t2 before t1, since t1 overwrote version 0 of x, which it had read")
                .doesNotContain("t0");
    }

    @Test
    void shouldFindAReadSkew() {
        assertThat(anomaly("t1: w(x)1 w(y)1 | t2: r(x)0 r(y)1"))
                .contains("t2 before t1, since t1 overwrote version 0 of x, which it had read")
                .contains("t1 before t2, since t2 read its version 1 of y");
    }

    @Test
    void shouldFindADirtyWrite() {
        assertThat(anomaly("t1: w(x)1 w(y)2 | t2: w(x)2 w(y)1"))
                .contains("t1 before t2, since t2 overwrote its version 1 of x")
                .contains("t2 before t1, since t1 overwrote its version 1 of y");
    }

    @Test
    void shouldFindReadsThatDisagreeOnTheOrderOfTwoWriters() {
        assertThat(anomaly("t1: w(x)1 | t2: w(y)1 | t3: r(x)1 r(y)0 | t4: r(x)0 r(y)1"))
                .contains("a cycle of 4");
    }

    @Test
    void shouldFindTheCycleOfThreeInTheStyleGuide() {
        assertThat(anomaly("t1: w(x)1 | t2: r(x)0 w(y)1 | t3: r(x)1 r(y)0"))
                .contains("t1 before t3, since t3 read its version 1 of x")
                .contains("t3 before t2, since t2 overwrote version 0 of y, which it had read")
                .contains("t2 before t1, since t1 overwrote version 0 of x, which it had read");
    }

    @Test
    void shouldFindADirtyRead() {
        assertThat(anomaly("t1: w(x)1 | t2: w(x)5 | t3: r(x)3"))
                .contains("t3 read version 3 of x, which nobody wrote who committed");
    }

    @Test
    void shouldFindAVersionThatTwoWrote() {
        assertThat(anomaly("t1: w(x)1 | t2: w(x)1")).contains("t2 and t1 both wrote version 1 of x");
    }

    @Test
    void shouldNameAShortestCycle() {
        String chain = "t1: r(a)0 w(b)1 | t2: r(b)0 w(c)1 | t3: r(c)0 w(d)1 | t4: r(d)0 w(a)1";
        assertThat(anomaly(chain)).contains("a cycle of 4");
        assertThat(anomaly(chain + " | t5: r(x)0 w(x)1 w(a)2 | t6: r(x)0 w(x)2 w(d)2"))
                .contains("a cycle of 2");
    }

    // Goal: the checker is right on large histories, too. Method: transactions that really run one after the other are
    // accepted in whatever order they are listed; with one stale read among them, they are refused.
    @Test
    void shouldJudgeLargeHistories() {
        SplittableRandom random = new SplittableRandom(7);
        int items = 20;
        long[] versions = new long[items];
        StringBuilder text = new StringBuilder("t0: r(i0)0");
        for (int t = 1; t <= 5_000; t++) {
            text.append(" | t").append(t).append(':');
            for (int i = 0; i < 4; i++) {
                int item = random.nextInt(items);
                text.append(" r(i").append(item).append(')').append(versions[item]);
                if (random.nextBoolean()) {
                    versions[item] = t;
                    text.append(" w(i").append(item).append(')').append(t);
                    break;
                }
            }
        }
        assertThat(anomaly(text.toString())).isEmpty();
        assertThat(anomaly(text + " | t9: r(i3)" + versions[3] + " r(i4)0")).contains("t9 before");
    }

    private static String anomaly(String history) {
        return SerializationGraph.anomaly(History.parse(history)).orElse("");
    }
}
