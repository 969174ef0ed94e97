package dev.rcc.bench.shell;

import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer of a command.
 *
 * @param text the answer for people, without a line break at the end
 * @param isOnlyDone whether the answer only confirms the command, so that scripts need not print it
 * @param json the answer for programs: adds to the object that every command prints
 */
record Answer(String text, boolean isOnlyDone, Consumer<ObjectNode> json) {
    static Answer of(String text, Consumer<ObjectNode> json) {
        return new Answer(text, false, json);
    }

    static Answer done(String text) {
        return new Answer(text, true, object -> {});
    }
}
