package dev.rcc.bench.shell;

import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a command has to say.
 *
 * @param text for people, without a line break at the end
 * @param isOnlyDone whether that is no more than that it was done, which scripts need not see
 * @param json for programs: adds to the object that every command prints
 */
record Answer(String text, boolean isOnlyDone, Consumer<ObjectNode> json) {
    static Answer of(String text, Consumer<ObjectNode> json) {
        return new Answer(text, false, json);
    }

    static Answer done(String text) {
        return new Answer(text, true, object -> {});
    }
}
