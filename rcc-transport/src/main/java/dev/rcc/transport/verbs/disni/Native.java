package dev.rcc.transport.verbs.disni;

import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.io.IOException;

/** Calls of lower layers, whose failures become {@code IOException}s, as DiSNI's users expect. Not for the data path. */
final class Native {
    /** A call that returns a value. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException;
    }

    /** A call that returns nothing. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    private Native() {}

    /** Makes a call; {@code what} begins the message if it fails, as in "cannot register memory". */
    static <T> T call(String what, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (VerbsException | VerbsUnavailable | IllegalStateException | IllegalArgumentException e) {
            throw new IOException("cannot " + what + ": " + e.getMessage(), e);
        }
    }

    /** Makes a call that returns nothing. */
    static void run(String what, Action action) throws IOException {
        call(what, () -> {
            action.run();
            return null;
        });
    }

    /** Makes a call that returns nothing, while {@code guard} keeps the used object alive. */
    static void run(String what, Guard guard, Action action) throws IOException {
        guard.enter();
        try {
            run(what, action);
        } finally {
            guard.exit();
        }
    }

    /** Casts an object of RCC's provider, and refuses any other object. */
    static <T> T ours(Class<T> type, Object object) throws IOException {
        if (!type.isInstance(object)) {
            throw new IOException("this needs an object of RCC's provider, got "
                    + (object == null ? "none" : object.getClass().getName()));
        }
        return type.cast(object);
    }
}
