package dev.rcc.bench.verify.clients;

import dev.rcc.client.wire.Message;
import dev.rcc.server.gateway.AnswerSink;
import dev.rcc.server.gateway.ClientSession;
import dev.rcc.transport.sim.SimNetwork;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A client's connection to a gateway in virtual time, as TCP provides it: messages arrive later and in order, until the link is lost.
 * Messages on their way then may arrive or not, and each end notices the loss at its own time.
 */
final class SimulatedLink implements AnswerSink {
    private static final int DELAY_NANOS_MIN = 2_000;
    private static final int DELAY_NANOS_MAX = 10_000;
    private static final int LONG_DELAY_NANOS_MAX = 500_000;
    private static final int LOSS_NOTICE_NANOS_MAX = 1_000_000;
    private static final int UNREAD_NANOS_MAX = 100_000;

    /** The client's end. */
    interface Listener {
        /** The gateway has accepted the connection. */
        void connected(SimulatedLink link);

        /** The reply to a request has arrived. */
        void answered(SimulatedLink link, int request, Message.Reply reply);

        /** A reply leaves the gateway; it may not arrive. */
        void answers(SimulatedLink link, int request, Message.Reply reply);

        /** The link is lost. */
        void lost(SimulatedLink link);
    }

    private final SimNetwork network;
    private final SplittableRandom random;
    private final SimulatedGateway gateway;
    private final Listener client;
    private ClientSession session;
    private long lastRequestNanos;
    private long lastAnswerNanos;
    private boolean lost;
    private boolean dropsRequests;
    private boolean losesNextAnswer;
    private boolean unread;

    SimulatedLink(SimNetwork network, SplittableRandom random, SimulatedGateway gateway, Listener client) {
        this.network = network;
        this.random = random;
        this.gateway = gateway;
        this.client = client;
    }

    SimulatedGateway gateway() {
        return gateway;
    }

    /** Connects; a dead node does not respond. */
    void connect() {
        toGateway(() -> {
            session = gateway.core().connect(this);
            gateway.worker().execute(() -> toClient(() -> client.connected(this)));
        });
    }

    /** Sends a request. */
    void send(Consumer<ClientSession> request) {
        toGateway(() -> request.accept(session));
    }

    /** Loses the link at the gateway's next reply: neither it nor any later reply arrives. */
    void loseNextAnswer() {
        losesNextAnswer = true;
    }

    /** Loses the link, perhaps with the requests on their way to the gateway. */
    void lose() {
        if (lost) {
            return;
        }
        lost = true;
        dropsRequests = random.nextBoolean();
        network.later(random.nextInt(LOSS_NOTICE_NANOS_MAX), () -> client.lost(this));
        network.later(random.nextInt(LOSS_NOTICE_NANOS_MAX), () -> {
            dropsRequests = true;
            if (session != null) {
                session.gone();
            }
        });
    }

    @Override
    public void answer(int request, Message.Reply reply) {
        client.answers(this, request, reply);
        if (losesNextAnswer) {
            lose();
        }
        toClient(() -> client.answered(this, request, reply));
        if (!unread && random.nextInt(50) == 0) {
            unread = true;
            network.later(random.nextInt(UNREAD_NANOS_MAX), () -> {
                unread = false;
                session.writable();
            });
        }
    }

    @Override
    public boolean isWritable() {
        return !unread;
    }

    private void toGateway(Runnable delivery) {
        long now = network.simulation().now();
        lastRequestNanos = Math.max(lastRequestNanos + 1, now + delayNanos());
        network.later(lastRequestNanos - now, () -> {
            if (!dropsRequests) {
                delivery.run();
            }
        });
    }

    private void toClient(Runnable delivery) {
        long now = network.simulation().now();
        lastAnswerNanos = Math.max(lastAnswerNanos + 1, now + delayNanos());
        network.later(lastAnswerNanos - now, () -> {
            if (!lost) {
                delivery.run();
            }
        });
    }

    private int delayNanos() {
        int usual = random.nextInt(DELAY_NANOS_MIN, DELAY_NANOS_MAX);
        return random.nextInt(20) == 0 ? usual + random.nextInt(LONG_DELAY_NANOS_MAX) : usual;
    }
}
