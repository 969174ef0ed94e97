package dev.rcc.server.locks;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Asks one node for locks by name, several at once, in a coroutine that begins with the first request. Used on its worker only. */
final class NameLane {
    private static final int AT_ONCE = 8;
    private static final int QUESTION_BYTES = NameMessage.REQUEST_BYTES + NameMessage.REPLY_BYTES;
    /** Bytes of the buffers that a lane keeps. */
    static final long BYTES = (long) AT_ONCE * QUESTION_BYTES;

    /** Takes an answer; null if the node has not answered. */
    interface Listener {
        void answered(ServiceLock lock, LockDirectory.Answer answer);
    }

    private record Question(ServiceLock lock, int partition) {}

    private final NodeLocks.Site site;
    private final int node;
    private final long buffer;
    private final Listener listener;
    private final Deque<Question> waiting = new ArrayDeque<>();
    private boolean hasBegun;
    /** Outstanding while there is nothing to ask. */
    private Completion wakeUp;

    private boolean isIdle;

    NameLane(NodeLocks.Site site, int node, long buffer, Listener listener) {
        this.site = site;
        this.node = node;
        this.buffer = buffer;
        this.listener = listener;
    }

    void add(ServiceLock lock, int partition) {
        waiting.add(new Question(lock, partition));
        if (!hasBegun) {
            hasBegun = true;
            site.worker().spawn(site.serviceCoroutine(), this::run);
        } else if (isIdle) {
            isIdle = false;
            wakeUp.succeed();
        }
    }

    private void run(Coroutine coroutine) {
        wakeUp = new Completion(coroutine);
        Completion answers = new Completion(coroutine);
        while (true) {
            if (waiting.isEmpty()) {
                isIdle = true;
                wakeUp.add();
                wakeUp.await();
            } else {
                askSome(answers);
            }
        }
    }

    private void askSome(Completion answers) {
        Endpoint endpoint = site.endpoint();
        Memory memory = site.buffers();
        List<Question> asked = new ArrayList<>();
        while (!waiting.isEmpty() && asked.size() < AT_ONCE) {
            Question question = waiting.remove();
            long offset = buffer + (long) asked.size() * QUESTION_BYTES;
            asked.add(question);
            NameMessage.writeRequest(
                    memory, offset, question.lock.namespace(), question.partition, question.lock.text());
            endpoint.call(
                    node,
                    NameMessage.RPC_ID,
                    offset,
                    NameMessage.REQUEST_BYTES,
                    offset + NameMessage.REQUEST_BYTES,
                    NameMessage.REPLY_BYTES,
                    answers);
        }
        boolean hasAnswered = answers.await();
        for (int i = 0; i < asked.size(); i++) {
            long reply = buffer + (long) i * QUESTION_BYTES + NameMessage.REQUEST_BYTES;
            listener.answered(asked.get(i).lock, hasAnswered ? NameMessage.readReply(memory, reply) : null);
        }
    }
}
