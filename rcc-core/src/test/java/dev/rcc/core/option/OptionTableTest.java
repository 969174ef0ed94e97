package dev.rcc.core.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionTableTest {
    private static final Option COUNT = Option.integer("count", 3, 1, 10, "things", "how many");
    private static final Option SHARE = Option.decimal("share", 0.5, 0, 100, "percent", "how much");
    private static final Option COLOUR = Option.choice("colour", "red", List.of("red", "blue"), "which");
    private static final Option SEED = Option.integer("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE, "", "seed");
    private static final Option BYTES = Option.powerOfTwo("bytes", 8, 4, 16, "bytes", "how large");
    private static final Option MODE = Option.choice("mode", Mode.LEFT, Mode.values(), "where");
    private static final Option NAME = Option.matching("name", "x", Pattern.compile("[a-z]+"), "letters", "whose");
    private static final OptionTable TABLE =
            new OptionTable("-P ", List.of(COUNT, SHARE, COLOUR, SEED, BYTES, MODE, NAME));

    private enum Mode {
        LEFT,
        FAR_RIGHT
    }

    @Test
    void shouldUseDefaultsForOptionsThatAreNotGiven() {
        OptionValues values = TABLE.parse(Map.of("share", "12.5"));
        assertThat(values.intValue(COUNT)).isEqualTo(3);
        assertThat(values.decimal(SHARE)).isEqualTo(12.5);
        assertThat(values.text(COLOUR)).isEqualTo("red");
        assertThat(values.asMap())
                .containsExactly(
                        Map.entry("count", "3"),
                        Map.entry("share", "12.5"),
                        Map.entry("colour", "red"),
                        Map.entry("seed", "1"),
                        Map.entry("bytes", "8"),
                        Map.entry("mode", "left"),
                        Map.entry("name", "x"));
        assertThat(values.isGiven(SHARE)).isTrue();
        assertThat(values.isGiven(COUNT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "10"})
    void shouldAcceptAnIntegerAtItsLimits(String given) {
        assertThat(TABLE.parse(Map.of("count", given)).text(COUNT)).isEqualTo(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "2.5", "", "x", "99999999999999999999"})
    void shouldRefuseAnIntegerBeyondItsLimits(String given) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("count", given)))
                .withMessage("-P count: got '" + given + "', allowed: an integer from 1 to 10 (things)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "8", "16"})
    void shouldAcceptAPowerOfTwo(String given) {
        assertThat(TABLE.parse(Map.of("bytes", given)).text(BYTES)).isEqualTo(given);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "2", "12", "32", "-8", "x"})
    void shouldRefuseAValueThatIsNoPowerOfTwoInItsLimits(String given) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("bytes", given)))
                .withMessage("-P bytes: got '" + given + "', allowed: a power of two from 4 to 16 (bytes)");
    }

    @Test
    void shouldReadAChoiceAsTheConstantThatItNames() {
        assertThat(TABLE.parse(Map.of()).choice(MODE, Mode.values())).isEqualTo(Mode.LEFT);
        assertThat(TABLE.parse(Map.of("mode", "far-right")).choice(MODE, Mode.values()))
                .isEqualTo(Mode.FAR_RIGHT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("mode", "FAR_RIGHT")))
                .withMessage("-P mode: got 'FAR_RIGHT', allowed: one of left, far-right");
    }

    @Test
    void shouldRefuseATextOfAnotherForm() {
        assertThat(TABLE.parse(Map.of("name", "ab")).text(NAME)).isEqualTo("ab");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("name", "a b")))
                .withMessage("-P name: got 'a b', allowed: letters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "100", "0.25", ".5"})
    void shouldAcceptADecimalAtItsLimits(String given) {
        assertThat(TABLE.parse(Map.of("share", given)).decimal(SHARE)).isBetween(0.0, 100.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "100.1", "NaN", "Infinity", "1e400", "1d", ""})
    void shouldRefuseADecimalBeyondItsLimits(String given) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("share", given)))
                .withMessage("-P share: got '" + given + "', allowed: a number from 0 to 100 (percent)");
    }

    @Test
    void shouldAcceptEvery64BitSeed() {
        assertThat(TABLE.parse(Map.of("seed", "-9223372036854775808")).integer(SEED))
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldRefuseAWordThatIsNoChoice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("colour", "green")))
                .withMessage("-P colour: got 'green', allowed: one of red, blue");
    }

    @Test
    void shouldNameTheKeysWhenOneIsUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TABLE.parse(Map.of("size", "7")))
                .withMessage(
                        "-P size: there is no such key, got 'size=7', allowed: count, share, colour, seed, bytes, mode, name");
    }

    @Test
    void shouldRefuseTwoOptionsOfOneName() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OptionTable("", List.of(COUNT, COUNT)));
    }

    @Test
    void shouldRefuseSamplesThatAreNotAllowed() {
        Option option = Option.integer("n", 1, 1, 9, "", "a number");
        assertThat(option.withSamples("1", "9").samples()).containsExactly("1", "9");
        assertThat(option.samples()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> option.withSamples("10"))
                .withMessageContaining("n: got '10'");
    }

    @Test
    void shouldListOptionsThatDifferFromTheirDefaults() {
        OptionTable table = new OptionTable(
                "", List.of(Option.integer("a", 1, 1, 9, "", ""), Option.integer("b", 2, 1, 9, "", "")));
        assertThat(table.changed(Map.of("b", "3", "a", "1", "other", "7"))).containsExactly("b=3");
        assertThat(table.changed(Map.of())).isEmpty();
    }
}
