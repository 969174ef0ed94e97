package dev.rcc.core.txn;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The fragments that all nodes of a cluster have, with numbers by which messages name them. Immutable. */
public final class Fragments {
    /** No fragments. */
    public static final Fragments NONE = new Fragments(List.of());

    /** In place of a number, for code that is not registered. */
    public static final int UNKNOWN = -1;

    private final List<FragmentType> types;
    private final Map<String, Integer> numbers = new HashMap<>();

    /**
     * Registers types. Their order does not matter: they are numbered in the order of their names.
     *
     * @throws IllegalArgumentException when two have the same name
     */
    public Fragments(List<FragmentType> types) {
        this.types =
                types.stream().sorted(Comparator.comparing(FragmentType::name)).toList();
        for (FragmentType type : this.types) {
            if (numbers.put(type.name(), numbers.size()) != null) {
                throw new IllegalArgumentException("two fragments have the name " + type.name());
            }
        }
    }

    /** The number of the code with a name, or {@link #UNKNOWN}. */
    public int number(String name) {
        return numbers.getOrDefault(name, UNKNOWN);
    }

    /** The number of types; the types' numbers are less. */
    public int size() {
        return types.size();
    }

    /** The type with a number. */
    public FragmentType type(int number) {
        return types.get(number);
    }
}
