package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.locking.LockMode;
import dev.rcc.protocols.locking.LockingOptions;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.protocols.occ.Occ;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.sundial.Sundial;
import dev.rcc.protocols.sundial.SundialOptions;
import dev.rcc.protocols.sundial.WriteConflict;
import dev.rcc.protocols.waitdie.Waitdie;
import dev.rcc.server.config.ClusterConfig;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The round trips of a transaction, which options make more, in virtual time. */
class RoundTripsTest extends ProtocolContract implements OnSimWithoutFaults {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 100);
    private static final int RECORDS = 4;
    private static final int FIRST = 0;
    private static final int SECOND = 1;

    @Override
    public Protocol protocol() {
        return new Nowait();
    }

    /** A protocol with the round trips that it is given. */
    private interface Family extends Function<RoundTrips, Protocol> {}

    static Stream<Named<Family>> protocols() {
        return Stream.of(
                Named.of("nowait", trips -> new Nowait(locking(false, trips))),
                Named.of("waitdie", trips -> new Waitdie(1, locking(false, trips))),
                Named.of("occ", Occ::new),
                Named.of("mvcc", trips -> new Mvcc(MvccOptions.DEFAULT, trips)),
                Named.of(
                        "mvcc, locks at access",
                        trips -> new Mvcc(new MvccOptions(4, true, 20, LockTime.ACCESS), trips)),
                Named.of("sundial", trips -> new Sundial(sundial(LockTime.COMMIT, trips))),
                Named.of("sundial, locks at access", trips -> new Sundial(sundial(LockTime.ACCESS, trips))));
    }

    private static SundialOptions sundial(LockTime lockTime, RoundTrips trips) {
        return new SundialOptions(WriteConflict.WAIT_DIE, lockTime, false, trips);
    }

    private static LockingOptions locking(boolean isReadApart, RoundTrips trips) {
        return new LockingOptions(LockMode.SHARED, isReadApart, trips);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldTakeARoundTripForEachRecordIfTheyAreFetchedOneByOne(Family family) {
        for (char digit : new char[] {'0', '1'}) {
            long together = roundTrips(family.apply(RoundTrips.FEWEST), digit);
            Protocol oneByOne = family.apply(new RoundTrips(true, false));
            // One-sided MVCC raises the rts of a record that it only reads, and reads it then: together that
            // is two, else two for each of three.
            int more = oneByOne instanceof Mvcc && digit == '1' ? 2 * (RECORDS - 1) - 1 : RECORDS - 1;
            assertThat(roundTrips(oneByOne, digit)).as("stages %s", digit).isEqualTo(together + more);
        }
    }

    // Goal: the log takes two round trips, whatever its primitive, and the transaction commits as it does otherwise.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldTakeARoundTripMoreIfTheLogIsAcknowledged(Family family) {
        for (char digit : new char[] {'0', '1'}) {
            long written = roundTrips(family.apply(RoundTrips.FEWEST), digit);
            long acknowledged = roundTrips(family.apply(new RoundTrips(false, true)), digit);
            assertThat(acknowledged).as("stages %s", digit).isEqualTo(written + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("lockingProtocols")
    void shouldTakeARoundTripMoreIfRecordsAreReadWhenTheirLocksAreHeld(Function<LockingOptions, Protocol> family) {
        for (char digit : new char[] {'0', '1'}) {
            long batched = roundTrips(family.apply(locking(false, RoundTrips.FEWEST)), digit);
            long single = roundTrips(family.apply(locking(true, RoundTrips.FEWEST)), digit);
            assertThat(single).as("stages %s", digit).isEqualTo(batched + (digit == '1' ? 1 : 0));
        }
    }

    static Stream<Named<Function<LockingOptions, Protocol>>> lockingProtocols() {
        return Stream.of(Named.of("nowait", Nowait::new), Named.of("waitdie", options -> new Waitdie(1, options)));
    }

    /** Those of a transaction that reads three records and changes a fourth, all of one node, whose addresses are known; all its stages have the digit. */
    private long roundTrips(Protocol protocol, char digit) {
        String code = String.valueOf(digit).repeat(protocol.stages().size());
        ClusterConfig config = ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(HybridCode.parse(protocol, code))
                .withShape(3, 1, 4, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024)
                .withRetries(RetryPolicy.NEVER);
        try (TestCluster cluster = start(config, LongStream.range(0, 60).toArray())) {
            Table table = cluster.table(0);
            long[] keys = keysOn(cluster, SECOND, RECORDS);
            Procedure four = procedure(
                    txn -> LongStream.of(keys)
                            .mapToObj(key -> key == keys[0] ? txn.update(table, key) : txn.read(table, key))
                            .toList(),
                    (txn, accesses) -> accesses.get(0).putLong(VALUE, 7));
            cluster.commit(FIRST, four);
            long before = cluster.metrics().roundTrips();
            cluster.commit(FIRST, four);
            long trips = cluster.metrics().roundTrips() - before;
            cluster.assertAtRest();
            assertThat(cluster.read(SECOND, table, keys[0])).isEqualTo(7);
            return trips;
        }
    }
}
