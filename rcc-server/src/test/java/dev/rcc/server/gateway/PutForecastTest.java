package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The forecast whether a put finds a record. */
class PutForecastTest {
    private static final Catalog CATALOG = new Catalog(
            new RingPlacement(1, 1),
            8,
            List.of(TableSchema.ofLongKeys(0, "replaced", 8, 10), TableSchema.ofLongKeys(1, "grows", 8, 10)));

    private final Table replaced = CATALOG.table(0);
    private final Table grows = CATALOG.table(1);
    private final PutForecast forecast = new PutForecast(2);

    @Test
    void shouldExpectARecordUntilSomeWereMissing() {
        assertThat(forecast.isProbablyThere(grows)).isTrue();
        forecast.found(grows, false);
        assertThat(forecast.isProbablyThere(grows)).as("after one").isTrue();
        forecast.found(grows, false);
        assertThat(forecast.isProbablyThere(grows)).as("after two").isFalse();
        assertThat(forecast.isProbablyThere(replaced)).as("another table").isTrue();
    }

    @Test
    void shouldNotBeChangedByAnException() {
        for (int i = 0; i < 10; i++) {
            forecast.found(grows, false);
        }
        forecast.found(grows, true);
        assertThat(forecast.isProbablyThere(grows)).isFalse();
        forecast.found(grows, true);
        assertThat(forecast.isProbablyThere(grows)).isTrue();
        for (int i = 0; i < 10; i++) {
            forecast.found(grows, true);
        }
        forecast.found(grows, false);
        assertThat(forecast.isProbablyThere(grows)).isTrue();
    }
}
