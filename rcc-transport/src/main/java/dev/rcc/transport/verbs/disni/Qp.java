package dev.rcc.transport.verbs.disni;

import com.ibm.disni.verbs.IbvQP;
import dev.rcc.transport.verbs.ibv.QpLayout;
import dev.rcc.transport.verbs.ibv.QueuePair;
import dev.rcc.transport.verbs.ibv.Raw;
import java.io.IOException;

/** A queue pair, made by the connection manager or by a user who takes it through its states. */
final class Qp extends IbvQP {
    private final QueuePair pair;
    private final Guard guard;
    private final Pd domain;
    private final Cq sendQueue;
    private final Cq receiveQueue;

    /** Takes {@code pair}, for which both completion queues were retained. */
    Qp(Pd pd, Cq send, Cq receive, QueuePair pair, int type) throws IOException {
        super(pair.number());
        this.context = pd.getContext();
        this.pd = pd;
        this.send_cq = send;
        this.recv_cq = receive;
        this.handle = Raw.getInt(pair.address(), QpLayout.HANDLE);
        this.qp_type = type;
        this.pair = pair;
        this.domain = pd;
        this.sendQueue = send;
        this.receiveQueue = receive;
        this.guard = new Guard("queue pair " + pair.number());
    }

    QueuePair pair() {
        return pair;
    }

    Guard guard() {
        return guard;
    }

    Pd domain() {
        return domain;
    }

    boolean isForDatagrams() {
        return getQp_type() == IBV_QPT_UD;
    }

    /** The state as the device reports it, or the last known state if the queue pair is closed. */
    @Override
    public int getState() {
        try {
            guard.enter();
        } catch (IOException e) {
            return state;
        }
        try {
            state = pair.state().code();
        } finally {
            guard.exit();
        }
        return state;
    }

    /** Destroys the queue pair by {@code destroyer}, which matches the way in which it was made. */
    void destroy(Native.Action destroyer) throws IOException {
        guard.close();
        close();
        Native.run("destroy queue pair " + getQp_num(), () -> {
            destroyer.run();
            pair.close();
        });
        sendQueue.release();
        receiveQueue.release();
    }
}
