package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.LincheckJvm;
import dev.rcc.protocols.locks.LockMode;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * Goal: a lock's two words, which a reset changes one after the other, are one queue of tickets, while any threads draw, look, hand back and reset.
 * Method: run the managers' steps, by the managers' functions, against a list of tickets. Locks are handed back by CAS, because a FETCH_ADD in time
 * relies on leases, and these threads have no clock. The mode is stress, as Lincheck 3.7's model checker does not see accesses to a MemorySegment.
 */
public class DslrLincheckTest {
    private static final int THREADS = 5;
    private static final int COUNTERS = 0;
    private static final int FENCE = Memory.WORD_BYTES;
    private static final Memory WORDS = Memory.allocate(Arena.global(), 2 * Memory.WORD_BYTES);
    private static final DslrLayout LAYOUT = DslrLayout.of(false, 0);

    /** Indexed by thread. */
    private final DslrTicket[] tickets = new DslrTicket[THREADS];

    private final boolean[] holds = new boolean[THREADS];
    /** Indexed by thread: the words that the thread has read, from which it may move the fence. */
    private final Pair[] seen = new Pair[THREADS];

    public DslrLincheckTest() {
        WORDS.putRelease(COUNTERS, 0);
        WORDS.putRelease(FENCE, 0);
    }

    @Test
    void shouldBeLinearizable() throws Exception {
        LincheckJvm.run(LincheckJvm.Subject.DSLR, DslrLincheckTest.class);
    }

    public static void main(String[] args) {
        new StressOptions()
                .iterations(50)
                .invocationsPerIteration(500)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Queue.class)
                .check(DslrLincheckTest.class);
    }

    @Operation
    public void share(@Param(gen = ThreadIdGen.class) int thread) {
        draw(thread, LockMode.SHARED);
    }

    @Operation
    public void exclude(@Param(gen = ThreadIdGen.class) int thread) {
        draw(thread, LockMode.EXCLUSIVE);
    }

    private void draw(int thread, LockMode mode) {
        if (tickets[thread] == null) {
            DslrTicket ticket = new DslrTicket();
            ticket.want(0, mode, 1, 0);
            ticket.drawn(LAYOUT, WORDS.getAndAdd(COUNTERS, LAYOUT.ticket(mode, 1)));
            ticket.generation = LAYOUT.generation(WORDS.getAcquire(FENCE));
            tickets[thread] = ticket;
        }
    }

    @Operation
    public String look(@Param(gen = ThreadIdGen.class) int thread) {
        if (tickets[thread] == null) {
            return "none";
        }
        DslrTurn turn = complete().turnOf(tickets[thread]);
        holds[thread] = turn == DslrTurn.GRANTED;
        if (turn == DslrTurn.VOID) {
            tickets[thread] = null;
        }
        return turn.name();
    }

    @Operation
    public String release(@Param(gen = ThreadIdGen.class) int thread) {
        if (!holds[thread]) {
            return "none";
        }
        DslrTicket ticket = tickets[thread];
        holds[thread] = false;
        tickets[thread] = null;
        while (true) {
            Pair pair = complete();
            if (pair.turnOf(ticket) != DslrTurn.GRANTED) {
                return pair.turnOf(ticket).name();
            }
            long released = pair.counters + LAYOUT.handBack(ticket.mode, ticket.slots);
            if (WORDS.compareAndExchange(COUNTERS, pair.counters, released) == pair.counters) {
                return "released";
            }
        }
    }

    // A reset reads the words, and moves the fence later: tickets that existed when it read become void.
    // Tickets that are drawn in between stay valid.
    @Operation
    public String reset(@Param(gen = ThreadIdGen.class) int thread) {
        if (seen[thread] == null) {
            seen[thread] = read();
            return "read";
        }
        Pair pair = seen[thread];
        seen[thread] = null;
        if (!isMoved(pair.fence, LAYOUT.resetAll(pair.fence, pair.counters))) {
            return "too late";
        }
        complete();
        return "reset";
    }

    /** Both words as they were at one moment, as a READ of both has them. */
    private static Pair read() {
        while (true) {
            Pair pair = complete();
            if (WORDS.getAcquire(COUNTERS) == pair.counters) {
                return pair;
            }
        }
    }

    private static boolean isMoved(long fence, long moved) {
        return WORDS.compareAndExchange(FENCE, fence, moved) == fence;
    }

    /** Both words; the counters are not younger than the fence. */
    private record Pair(long counters, long fence) {
        private DslrTurn turnOf(DslrTicket ticket) {
            return DslrTurn.of(LAYOUT, ticket, counters, fence);
        }
    }

    /** Finishes a reset that is half done, and reads. */
    private static Pair complete() {
        while (true) {
            long counters = WORDS.getAcquire(COUNTERS);
            long fence = WORDS.getAcquire(FENCE);
            if (!LAYOUT.isIncomplete(counters, fence)) {
                return new Pair(counters, fence);
            }
            WORDS.compareAndExchange(COUNTERS, counters, LAYOUT.complete(counters, fence));
        }
    }

    /** The sequential specification of a lock. */
    public static class Queue {
        private static final class Ticket {
            private final LockMode mode;
            private boolean isVoid;
            private boolean isHeld;

            private Ticket(LockMode mode) {
                this.mode = mode;
            }
        }

        /** The queue and the number of resets that a thread has read. */
        private record Seen(List<Ticket> queue, int resets) {}

        private final Ticket[] tickets = new Ticket[THREADS];
        private final Seen[] seen = new Seen[THREADS];
        private final List<Ticket> queue = new ArrayList<>();
        private int resets;

        public void share(int thread) {
            draw(thread, LockMode.SHARED);
        }

        public void exclude(int thread) {
            draw(thread, LockMode.EXCLUSIVE);
        }

        private void draw(int thread, LockMode mode) {
            if (tickets[thread] == null) {
                tickets[thread] = new Ticket(mode);
                queue.add(tickets[thread]);
            }
        }

        public String look(int thread) {
            Ticket ticket = tickets[thread];
            if (ticket == null) {
                return "none";
            }
            if (ticket.isVoid) {
                tickets[thread] = null;
                return "VOID";
            }
            ticket.isHeld = queue.stream()
                    .takeWhile(each -> each != ticket)
                    .allMatch(each -> each.mode == LockMode.SHARED && ticket.mode == LockMode.SHARED);
            return ticket.isHeld ? "GRANTED" : "WAIT";
        }

        public String release(int thread) {
            Ticket ticket = tickets[thread];
            if (ticket == null || !ticket.isHeld) {
                return "none";
            }
            tickets[thread] = null;
            queue.remove(ticket);
            return ticket.isVoid ? "VOID" : "released";
        }

        public String reset(int thread) {
            Seen before = seen[thread];
            if (before == null) {
                seen[thread] = new Seen(List.copyOf(queue), resets);
                return "read";
            }
            seen[thread] = null;
            if (before.resets != resets) {
                return "too late";
            }
            resets++;
            before.queue.stream().filter(queue::contains).forEach(ticket -> ticket.isVoid = true);
            queue.removeAll(before.queue);
            return "reset";
        }
    }
}
