package dev.rcc.transport.verbs.disni;

import dev.rcc.transport.verbs.ibv.VerbsException;
import dev.rcc.transport.verbs.ibv.VerbsUnavailable;
import java.io.IOException;

/** Calls below that may fail, with their failures as DiSNI's users expect them: {@code IOException}s. Not for the data path. */
final class Native {
    /** A call that returns something. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws IOException;
    }

    /** A call that does not. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    private Native() {}

    /** Calls; {@code what} begins the message if that fails, as in "cannot register memory". */
    static <T> T call(String what, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (VerbsException | VerbsUnavailable | IllegalStateException | IllegalArgumentException e) {
            throw new IOException("cannot " + what + ": " + e.getMessage(), e);
        }
    }

    /** Likewise. */
    static void run(String what, Action action) throws IOException {
        call(what, () -> {
            action.run();
            return null;
        });
    }

    /** Likewise, while {@code guard} keeps the object alive that is used. */
    static void run(String what, Guard guard, Action action) throws IOException {
        guard.enter();
        try {
            run(what, action);
        } finally {
            guard.exit();
        }
    }

    /** Casts what the caller says is ours, and refuses what is not. */
    static <T> T ours(Class<T> type, Object object) throws IOException {
        if (!type.isInstance(object)) {
            throw new IOException("this needs an object of RCC's provider, got "
                    + (object == null ? "none" : object.getClass().getName()));
        }
        return type.cast(object);
    }
}
