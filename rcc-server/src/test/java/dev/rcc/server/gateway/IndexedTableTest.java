package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.CompositeKey;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.KeyRange;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.Table;
import dev.rcc.client.TableDescription;
import dev.rcc.core.store.IndexSchema.Kind;
import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.TableSchema;
import dev.rcc.server.procedure.Procedures;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secondary indexes as clients see them: they follow the writes of records, and cannot be written themselves. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IndexedTableTest {
    private static final TableSchema SCHEMA = TableSchema.ofByteKeys(0, "members", 12, 12, 1_000);

    /** A member, by its name. */
    record Member(long number, int team) {}

    private static final Table<String, Member> MEMBERS =
            new Table<>("members", KeyType.STRING, Codec.ofRecord(Member.class));
    private static final Table<CompositeKey, byte[]> BY_TEAM =
            new Table<>("by_team", KeyType.composite(KeyType.INTEGER, KeyType.LONG), Codec.ofBytes(24));

    private static ClientFixture fixture(String protocol) {
        return new ClientFixture(
                protocol,
                List.of(
                        SCHEMA,
                        TableSchema.index(1, "by_number", SCHEMA, true, List.of(Part.number(Kind.BIG_ENDIAN_LONG, 0))),
                        TableSchema.index(
                                2,
                                "by_team",
                                SCHEMA,
                                true,
                                List.of(
                                        Part.number(Kind.BIG_ENDIAN_INTEGER, 8),
                                        Part.number(Kind.BIG_ENDIAN_LONG, 0)))),
                GatewayOptions.DEFAULT,
                ClientOptions.DEFAULT,
                Procedures.NONE);
    }

    private static List<CompositeKey> entries(RccClient client, int team) {
        return client.scan(BY_TEAM, KeyRange.prefix(CompositeKey.of(team)), 100).stream()
                .map(Entry::key)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "sundial", "calvin"})
    void shouldUpdateIndexesWhenClientsWrite(String protocol) {
        ClientFixture fixture = fixture(protocol);
        RccClient client = fixture.client;
        assertThat(client.tables())
                .extracting(TableDescription::name, TableDescription::indexOf, TableDescription::unique)
                .containsExactly(
                        tuple("by_number", "members", true),
                        tuple("by_team", "members", true),
                        tuple("members", "", false));
        client.put(MEMBERS, "anna", new Member(7, -1));
        client.insert(MEMBERS, "bert", new Member(3, -1));
        client.put(MEMBERS, "carl", new Member(5, 2));
        assertThat(entries(client, -1)).containsExactly(CompositeKey.of(-1, 3L), CompositeKey.of(-1, 7L));
        client.put(MEMBERS, "anna", new Member(7, 2));
        client.transact(txn -> {
            Member bert = txn.getForUpdate(MEMBERS, "bert").orElseThrow();
            txn.put(MEMBERS, "bert", new Member(bert.number() + 1, 2));
            txn.delete(MEMBERS, "carl");
            return null;
        });
        assertThat(entries(client, -1)).isEmpty();
        assertThat(entries(client, 2)).containsExactly(CompositeKey.of(2, 4L), CompositeKey.of(2, 7L));
        fixture.closeAndInspect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "occ", "calvin"})
    void shouldRefuseASecondRecordWithAUniqueKey(String protocol) {
        ClientFixture fixture = fixture(protocol);
        RccClient client = fixture.client;
        client.put(MEMBERS, "anna", new Member(7, 1));
        List<Consumer<RccClient>> seconds = List.of(
                each -> each.put(MEMBERS, "bert", new Member(7, 2)),
                each -> each.insert(MEMBERS, "bert", new Member(7, 2)),
                each -> each.transact(txn -> {
                    txn.get(MEMBERS, "anna");
                    txn.put(MEMBERS, "carl", new Member(7, 3));
                    return null;
                }));
        for (Consumer<RccClient> second : seconds) {
            assertThatExceptionOfType(RecordExistsException.class)
                    .isThrownBy(() -> second.accept(client))
                    .withMessageContaining(
                            "the unique index by_number of table members has another record with the same key")
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_KEY));
        }
        assertThat(client.get(MEMBERS, "bert")).isEmpty();
        client.delete(MEMBERS, "anna");
        client.put(MEMBERS, "bert", new Member(7, 2));
        assertThat(entries(client, 2)).containsExactly(CompositeKey.of(2, 7L));
        fixture.closeAndInspect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"waitdie", "mvcc"})
    void shouldRefuseToWriteAnIndex(String protocol) {
        ClientFixture fixture = fixture(protocol);
        RccClient client = fixture.client;
        client.put(MEMBERS, "anna", new Member(7, 1));
        CompositeKey key = CompositeKey.of(1, 7L);
        List<Consumer<RccClient>> writes = List.of(
                each -> each.put(BY_TEAM, key, new byte[24]),
                each -> each.insert(BY_TEAM, key, new byte[24]),
                each -> each.delete(BY_TEAM, key),
                each -> each.transact(txn -> txn.getForUpdate(BY_TEAM, key)));
        for (Consumer<RccClient> write : writes) {
            assertThatExceptionOfType(BadRequestException.class)
                    .isThrownBy(() -> write.accept(client))
                    .withMessageContaining("table by_team is an index of table members: write table members instead");
        }
        assertThat(client.get(BY_TEAM, key)).isPresent();
        assertThat(entries(client, 1)).containsExactly(key);
        fixture.closeAndInspect();
    }
}
