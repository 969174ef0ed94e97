package dev.rcc.bench.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Answers to reads that clients did not wait for at once. */
public final class Reads {
    private Reads() {}

    /**
     * Waits for an answer.
     *
     * @throws RuntimeException the exception that the read threw, by which the client library decides whether to begin again
     */
    public static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
