package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Halves of surrogate pairs, which UTF-8 cannot express: Java writes the same question mark for all of them, so two texts would be one. */
class UnpairedSurrogatesTest {
    private static final String HALF = "a\ud83d";

    private record Named(@MaxBytes(8) String name) {}

    private static void assertRefused(String what, ThrowingCallable encoding) {
        assertThatIllegalArgumentException()
                .isThrownBy(encoding)
                .withMessageStartingWith(what)
                .withMessageEndingWith(
                        " has whole characters only, got half of a surrogate pair, U+D83D, at index 1: UTF-8 cannot"
                                + " express it");
    }

    @Test
    void shouldBeRefusedInKeys() {
        KeyType<CompositeKey> composite = KeyType.composite(KeyType.LONG, KeyType.STRING);
        assertRefused("a key", () -> KeyType.STRING.encode(HALF));
        assertRefused("a key", () -> KeyRange.prefix(HALF).lower(KeyType.STRING));
        assertRefused("part 2 of a key [Long, String]: a text", () -> composite.encode(CompositeKey.of(1L, HALF)));
    }

    @Test
    void shouldBeRefusedInRecords() {
        ByteBuffer target = ByteBuffer.allocate(100);
        assertRefused("a text", () -> Codec.ofString(8).encode(HALF, target));
        assertRefused("a text", () -> Codec.ofList(Codec.ofString(8), 2).encode(List.of("a", HALF), target.clear()));
        assertRefused(
                Named.class.getName() + ".name",
                () -> Codec.ofRecord(Named.class).encode(new Named(HALF), target.clear()));
    }

    @Test
    void shouldBeRefusedInNamesAndTokens() {
        assertRefused("a procedure's name", () -> ProcedureType.of(HALF, Codec.ofNothing(), Codec.ofNothing()));
        assertRefused("a token", () -> ClientOptions.DEFAULT.withToken(HALF));
        assertRefused("a lock's name", () -> new Locks(null, null, "jobs").lock(HALF, LockMode.SHARED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00", "a\ud83db", "\ud83d\ude00\ude00"})
    void shouldBeFoundAnywhere(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Utf8.check("it", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "\u00e9", "\ud83d\ude00", "a\ud83d\ude00b\ud83d\ude00", "\ud7ff\ue000", "?"})
    void shouldNotBeFoundInWholeCharacters(String text) {
        assertThat(Utf8.bytes("it", text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }
}
