package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.ServedCall;

/**
 * One RPC, from the call to the reply. Request and reply travel in a message of their own. So when the call has failed because
 * its peer is unreachable, the caller may reuse its buffers, whatever the handler does later. A late call is served after it has
 * failed, but before any later call of its endpoint.
 *
 * <pre>
 *   sent ---arrives---&gt; served ---reply---&gt; on its way back ---arrives---&gt; done
 *     \__________________ \_____________________ \______ no answer: failed
 * </pre>
 */
final class SimCall extends ServedCall {
    /** The call's index in the caller's list. */
    int position;

    private final SimEndpoint caller;
    private final SimNetwork network;
    private final int peer;
    private final SimFabric server;
    private final int rpcId;
    private final Completion completion;
    private final long replyOffset;
    private final int replyBytes;
    private SimEndpoint serving;
    private Memory message;
    private int repliedBytes;
    private long deadline;
    private boolean replied;
    private boolean refused;
    private boolean done;

    SimCall(
            SimEndpoint caller,
            int peer,
            SimFabric server,
            int rpcId,
            Completion completion,
            long replyOffset,
            int replyBytes) {
        this.caller = caller;
        this.network = caller.network();
        this.peer = peer;
        this.server = server;
        this.rpcId = rpcId;
        this.completion = completion;
        this.replyOffset = replyOffset;
        this.replyBytes = replyBytes;
    }

    /** Copies the request into a message and sends it. */
    void send(long requestOffset, int bytes) {
        message = network.takeMessage(Memory.alignToWord(bytes) + replyBytes);
        caller.buffers().copy(requestOffset, message, 0, bytes);
        setRequest(caller.fabric().node(), rpcId, message, 0, bytes);
        setResponse(message, Memory.alignToWord(bytes), replyBytes);
        caller.chargeForMessage(peer, bytes);
        long now = caller.worker().localNanos();
        deadline = now + network.costs().detectNanos();
        if (server != null && caller.reachesByItself(peer)) {
            network.simulation().at(now, this::deliver);
            return;
        }
        int node = caller.fabric().node();
        long sent = network.nic(node).sendDatagram(now, bytes);
        caller.fabric().sent(peer, bytes);
        if (server == null) {
            network.simulation().at(deadline, this::giveUp);
        } else {
            network.simulation().at(sent + network.passageNanos(node, peer), this::arrive);
        }
    }

    private void arrive() {
        if (done) {
            return;
        }
        if (server.isStopped()) {
            return; // stopped() has the call fail
        }
        if (server.isFenced(caller.fabric())) {
            giveUpLater();
            return;
        }
        if (caller.fabric().isStopped() && !network.outlivesItsNode()) {
            return;
        }
        if (!network.getsThrough(caller.fabric().node(), peer)) {
            resendOrFail(this::arrive);
            return;
        }
        if (network.losesDatagram(caller.fabric().node(), peer)) {
            network.simulation().at(deadline, this::giveUp);
            return;
        }
        long lateNanos = network.lateNanos(caller.fabric().node(), peer);
        if (lateNanos > 0) {
            caller.late(this);
            giveUp();
        }
        long served = network.nic(peer).serveDatagram(network.simulation().now());
        network.simulation().at(served + lateNanos, lateNanos > 0 ? () -> caller.serveLate(peer) : this::deliver);
    }

    private void deliver() {
        caller.serveLate(peer);
        if (!done) {
            serve();
        }
    }

    int peer() {
        return peer;
    }

    /** Has the peer's worker serve the call, unless the peer has stopped. */
    void serve() {
        if (server.isStopped()) {
            return;
        }
        server.received(caller(), payloadBytes());
        serving = server.endpointFor(caller.worker().index());
        serving.worker().add(() -> {
            if (server.isFenced(caller.fabric())) {
                giveUpLater();
                return;
            }
            CostModel costs = network.costs();
            serving.worker().charge(costs.cpu().handlerNanos() + costs.cpu().copyNanos(payloadBytes()));
            begin();
            serving.serve(this);
        });
    }

    private void resendOrFail(Runnable passage) {
        long again = network.simulation().now() + network.resendNanos();
        if (again < deadline) {
            network.simulation().at(again, passage);
        } else {
            network.simulation().at(deadline, this::giveUp);
        }
    }

    // The server's side.

    @Override
    protected void sendReply(int bytes) {
        sendBack(bytes);
    }

    @Override
    protected void sendFailure() {
        refused = true;
        sendBack(0);
    }

    private void sendBack(int bytes) {
        replied = true;
        repliedBytes = bytes;
        serving.chargeForMessage(caller(), bytes);
        long now = serving.worker().localNanos();
        deadline = now + network.costs().detectNanos();
        if (serving.reachesByItself(caller())) {
            network.simulation().at(now, () -> caller.worker().add(this::finish));
            return;
        }
        long sent = network.nic(peer).sendDatagram(now, bytes);
        server.sent(caller(), bytes);
        network.simulation().at(sent + network.passageNanos(peer, caller()), this::returned);
    }

    private void returned() {
        if (done) {
            return;
        }
        if (!network.getsThrough(peer, caller())) {
            resendOrFail(this::returned);
            return;
        }
        if (network.losesDatagram(peer, caller())) {
            network.simulation().at(deadline, this::giveUp);
            return;
        }
        long served = network.nic(caller()).serveDatagram(network.simulation().now());
        network.simulation().at(served, () -> caller.worker().add(this::finish));
    }

    // The caller's side again.

    private void finish() {
        if (done) {
            return;
        }
        done = true;
        caller.forget(this);
        caller.fabric().received(peer, repliedBytes);
        CostModel costs = network.costs();
        caller.worker().charge(costs.cpu().completionNanos() + costs.cpu().copyNanos(repliedBytes));
        if (refused || caller.fabric().isFenced(server)) {
            completion.fail(peer);
        } else {
            message.copy(responseOffset(), caller.buffers(), replyOffset, repliedBytes);
            completion.succeed();
        }
        network.giveBack(message);
    }

    /** A node has stopped: the call fails if it needs the node, unless that is the server and its reply is on its way already. */
    void stopped(SimFabric fabric) {
        boolean needed = fabric == caller.fabric() || (fabric == server && !replied);
        if (needed && !done) {
            giveUpLater();
        }
    }

    private void giveUpLater() {
        network.simulation().at(network.simulation().now() + network.costs().detectNanos(), this::giveUp);
    }

    /** No answer came. The message is not reused, as the handler may still use it. */
    private void giveUp() {
        caller.worker().add(() -> {
            if (!done) {
                done = true;
                caller.forget(this);
                caller.worker().charge(network.costs().cpu().completionNanos());
                completion.fail(peer);
            }
        });
    }
}
