package dev.rcc.server.consensus;

import static dev.rcc.server.testing.Awaiting.HANG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.junit.jupiter.api.Test;

class MessageGateTest {
    private static final long TERM = 3;
    private static final long FIRST = 7;
    /** Enough for a message that need not wait to be let in. */
    private static final long PAUSE_MILLIS = 20;

    private final MessageGate gate = new MessageGate(HANG);
    private final ConcurrentLinkedQueue<String> in = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<AppendEntriesReplyProto> written = new CompletableFuture<>();

    private static AppendEntriesRequestProto entries(long term, long first, long count) {
        return AppendEntriesRequestProto.newBuilder()
                .setLeaderTerm(term)
                .addAllEntries(LongStream.range(first, first + count)
                        .mapToObj(index -> LogEntryProto.newBuilder()
                                .setTerm(term)
                                .setIndex(index)
                                .build())
                        .toList())
                .build();
    }

    private CompletableFuture<AppendEntriesReplyProto> append(
            AppendEntriesRequestProto request, String name, CompletableFuture<AppendEntriesReplyProto> reply) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return gate.append(request, () -> {
                                    in.add(name);
                                    return reply;
                                });
                            } catch (IOException e) {
                                return CompletableFuture.<AppendEntriesReplyProto>failedFuture(e);
                            }
                        },
                        Thread::startVirtualThread)
                .thenCompose(future -> future);
    }

    private static CompletableFuture<AppendEntriesReplyProto> done() {
        return CompletableFuture.completedFuture(AppendEntriesReplyProto.getDefaultInstance());
    }

    /** Lets in entries from {@link #FIRST} on, two of them, which are being written until {@link #written} is completed. */
    private CompletableFuture<AppendEntriesReplyProto> begin() throws IOException {
        return gate.append(entries(TERM, FIRST, 2), () -> written);
    }

    private void checkWaits(CompletableFuture<?> message, String name) throws Exception {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        assertThat(in).as("while entries are written").isEmpty();
        written.complete(AppendEntriesReplyProto.getDefaultInstance());
        message.get(HANG.toSeconds(), TimeUnit.SECONDS);
        assertThat(in).containsExactly(name);
    }

    @Test
    void shouldLetInEntriesThatFollowTheOnesThatAreWritten() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> before = begin();
        append(entries(TERM, FIRST + 2, 1), "next", done()).get(HANG.toSeconds(), TimeUnit.SECONDS);
        append(entries(TERM, FIRST + 3, 1), "next but one", done()).get(HANG.toSeconds(), TimeUnit.SECONDS);
        assertThat(in).containsExactly("next", "next but one");
        assertThat(before).isNotDone();
    }

    @Test
    void shouldHoldUpEntriesThatAreSentAgain() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> _ = begin();
        checkWaits(append(entries(TERM, FIRST, 3), "again", done()), "again");
    }

    @Test
    void shouldHoldUpEntriesOfAnotherTerm() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> _ = begin();
        checkWaits(append(entries(TERM + 1, FIRST + 2, 1), "of another leader", done()), "of another leader");
    }

    @Test
    void shouldHoldUpAMessageWithoutEntries() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> _ = begin();
        checkWaits(append(entries(TERM, FIRST + 2, 0), "heartbeat", done()), "heartbeat");
    }

    @Test
    void shouldHoldUpAVote() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> _ = begin();
        CompletableFuture<Boolean> vote = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return gate.alone(() -> in.add("vote"));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                Thread::startVirtualThread);
        checkWaits(vote, "vote");
    }

    @Test
    void shouldLetTheNextMessageInAfterFailures() throws Exception {
        assertThatThrownBy(() -> gate.alone(() -> {
                    throw new IOException("planned");
                }))
                .hasMessage("planned");
        assertThatThrownBy(() -> gate.append(entries(TERM, FIRST, 1), () -> {
                    throw new IllegalStateException("planned");
                }))
                .hasMessage("planned");
        CompletableFuture<AppendEntriesReplyProto> failed =
                gate.append(entries(TERM, FIRST, 1), () -> CompletableFuture.failedFuture(new IOException("planned")));
        assertThat(failed).isCompletedExceptionally();
        assertThat(gate.alone(() -> "in")).isEqualTo("in");
    }

    @Test
    void shouldRefuseAMessageWhoseTurnDoesNotCome() throws Exception {
        MessageGate impatient = new MessageGate(Duration.ofMillis(1));
        CompletableFuture<AppendEntriesReplyProto> before = impatient.append(entries(TERM, FIRST, 1), () -> written);
        assertThatThrownBy(() -> impatient.alone(() -> "in"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1 under way");
        written.complete(AppendEntriesReplyProto.getDefaultInstance());
        assertThat(before).isDone();
        assertThat(impatient.alone(() -> "in")).isEqualTo("in");
    }
}
