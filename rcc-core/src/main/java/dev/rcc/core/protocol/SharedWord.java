package dev.rcc.core.protocol;

/**
 * A word of each tuple, leaf or index entry that several nodes change. A protocol states with it the changes of a stage ({@link WordChange}). Two
 * changes are of the same word if they name the same object, so a protocol keeps each of its words as a constant.
 */
public final class SharedWord {
    /** The word of a tuple or leaf that shows which transaction holds it. */
    public static final SharedWord LOCK = new SharedWord("lock word");
    /** An entry of an index, which shows that a slot has a key. */
    public static final SharedWord INDEX_ENTRY = new SharedWord("index entry");

    private final String name;

    /** Makes a protocol's word other than {@link #LOCK} and {@link #INDEX_ENTRY}, with its name in messages. */
    public SharedWord(String name) {
        this.name = name;
    }

    /** The name, as in "the lock word". */
    @Override
    public String toString() {
        return name;
    }
}
