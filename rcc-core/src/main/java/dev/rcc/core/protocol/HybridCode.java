package dev.rcc.core.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The choice of a {@link Primitive} for every stage of a protocol (rcc, 5.1). Written as one digit per stage in the
 * protocol's order, {@code 0} for RPC and {@code 1} for one-sided, or by name as {@code lock=one-sided,log=rpc,...};
 * {@code rpc} and {@code one-sided} are the two uniform codes. Immutable.
 */
public final class HybridCode {
    private final List<String> stages;
    private final Primitive[] primitives;

    private HybridCode(List<String> stages, Primitive[] primitives) {
        this.stages = stages;
        this.primitives = primitives;
    }

    /** The code that uses one primitive for all stages of {@code protocol}. */
    public static HybridCode uniform(Protocol protocol, Primitive primitive) {
        List<String> stages = protocol.stages();
        return new HybridCode(stages, stages.stream().map(stage -> primitive).toArray(Primitive[]::new));
    }

    /** All codes of {@code protocol}, in the order of their digits read as a binary number. */
    public static List<HybridCode> all(Protocol protocol) {
        List<String> stages = protocol.stages();
        int count = 1 << stages.size();
        return IntStream.range(0, count)
                .mapToObj(number -> Integer.toBinaryString(number | count).substring(1))
                .map(digits -> ofDigits(protocol, digits))
                .toList();
    }

    /**
     * Reads a code in any of its written forms.
     *
     * @throws IllegalArgumentException with what was given and what is allowed
     */
    public static HybridCode parse(Protocol protocol, String text) {
        for (Primitive primitive : Primitive.values()) {
            if (text.equals(primitive.label())) {
                return uniform(protocol, primitive);
            }
        }
        return text.contains("=") ? ofNames(protocol, text) : ofDigits(protocol, text);
    }

    /** The primitive of the stage with this number in the protocol's order. */
    public Primitive primitive(int stage) {
        return primitives[stage];
    }

    /** Whether the stage with this number is one-sided. */
    public boolean isOneSided(int stage) {
        return primitives[stage] == Primitive.ONE_SIDED;
    }

    /** One digit per stage. */
    public String digits() {
        StringBuilder digits = new StringBuilder();
        for (Primitive primitive : primitives) {
            digits.append(primitive.digit());
        }
        return digits.toString();
    }

    /** {@code stage=primitive} for every stage. */
    public String describe() {
        return IntStream.range(0, primitives.length)
                .mapToObj(i -> stages.get(i) + "=" + primitives[i].label())
                .collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return digits();
    }

    private static HybridCode ofDigits(Protocol protocol, String digits) {
        List<String> stages = protocol.stages();
        if (digits.length() != stages.size()
                || !digits.chars().allMatch(c -> c == Primitive.RPC.digit() || c == Primitive.ONE_SIDED.digit())) {
            throw bad(protocol, digits);
        }
        Primitive[] primitives = new Primitive[stages.size()];
        for (int i = 0; i < primitives.length; i++) {
            primitives[i] = digits.charAt(i) == Primitive.RPC.digit() ? Primitive.RPC : Primitive.ONE_SIDED;
        }
        return new HybridCode(stages, primitives);
    }

    private static HybridCode ofNames(Protocol protocol, String text) {
        List<String> stages = protocol.stages();
        Primitive[] primitives = new Primitive[stages.size()];
        for (String part : List.of(text.split(",", -1))) {
            int equals = part.indexOf('=');
            int stage = equals < 0 ? -1 : stages.indexOf(part.substring(0, equals));
            Primitive primitive = equals < 0 ? null : primitive(part.substring(equals + 1));
            if (stage < 0 || primitive == null || primitives[stage] != null) {
                throw bad(protocol, text);
            }
            primitives[stage] = primitive;
        }
        for (Primitive primitive : primitives) {
            if (primitive == null) {
                throw bad(protocol, text);
            }
        }
        return new HybridCode(stages, primitives);
    }

    private static Primitive primitive(String label) {
        for (Primitive primitive : Primitive.values()) {
            if (primitive.label().equals(label)) {
                return primitive;
            }
        }
        return null;
    }

    private static IllegalArgumentException bad(Protocol protocol, String given) {
        List<String> named = new ArrayList<>();
        protocol.stages().forEach(stage -> named.add(stage + "=rpc|one-sided"));
        return new IllegalArgumentException("got '" + given + "'; allowed for " + protocol.name()
                + ": rpc, one-sided, " + protocol.stages().size() + " digits 0 (rpc) or 1 (one-sided) for the stages "
                + String.join(", ", protocol.stages()) + ", or " + String.join(",", named));
    }
}
