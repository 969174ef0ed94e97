package dev.rcc.server;

import dev.rcc.core.time.Timestamp;
import dev.rcc.server.durability.Fates;
import dev.rcc.server.durability.RecoveredNode;
import dev.rcc.transport.control.Control;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Starts the node of this process together with the others, each from its disk. What no node can decide alone they decide by asking
 * each other; they replay; then the primaries take what the backups have; and no transaction begins before all are done with that.
 *
 * <p>Whoever dies on the way and is started again begins at the start, and the others wait for that: what is found then is the same.
 */
final class ProcessRestart {
    private static final String STATE = "rcc.restart.state";
    private static final String LOGGED = "rcc.restart.logged";
    private static final String PHASE = "rcc.restart.phase";
    private static final long LOOK_MILLIS = 20;
    private static final int QUESTION_BYTES = Integer.BYTES + Long.BYTES;
    private static final int QUESTIONS_MAX = 4096;

    private final Control control;
    private final NodeGroup group;
    private final RecoveredNode disk;
    private final byte[] state;
    private volatile Phase phase = Phase.READING;

    /** How far a node is. */
    private enum Phase {
        /** It knows what its disk has. */
        READING,
        /** Its copies are what they should be, and on its disk. */
        REPLAYED,
        /** Its primaries are what they should be. */
        TAKEN,
        /** It runs transactions. */
        RUNNING
    }

    /**
     * Answers the peers' questions from when they are let in.
     *
     * @param group has this node only, and what its disk has
     */
    ProcessRestart(Control control, NodeGroup group) {
        this.control = control;
        this.group = group;
        this.disk = group.disks().getFirst();
        this.state = encodeState(disk);
        control.serve(STATE, (peer, question) -> state.clone());
        control.serve(LOGGED, (peer, question) -> logged(question));
        control.serve(PHASE, (peer, question) -> new byte[] {code(phase)});
    }

    private static byte code(Phase phase) {
        return switch (phase) {
            case READING -> 0;
            case REPLAYED -> 1;
            case TAKEN -> 2;
            case RUNNING -> 3;
        };
    }

    /** What a node has told of its disk. */
    private record State(boolean isNew, long bound, List<RecoveredNode.Undecided> undecided) {}

    /**
     * Goes all the way, once all peers are connected.
     *
     * @throws IllegalStateException when the data of the nodes does not fit together, or the others run already
     */
    void run() throws InterruptedException {
        List<State> states = new ArrayList<>();
        for (int peer = 0; peer < control.nodes(); peer++) {
            if (peer != control.node() && ask(peer, PHASE, new byte[0])[0] == code(Phase.RUNNING)) {
                throw new IllegalStateException("node " + peer + " runs transactions, and did so without node "
                        + control.node() + ": stop all nodes, and start them together");
            }
            states.add(decodeState(ask(peer, STATE, new byte[0])));
        }
        List<Integer> without = new ArrayList<>();
        for (int peer = 0; peer < states.size(); peer++) {
            if (states.get(peer).isNew()) {
                without.add(peer);
            }
        }
        if (without.isEmpty()) {
            long bound = states.stream().mapToLong(State::bound).reduce(Timestamp.NONE, Timestamp::max);
            group.recover(committed(states), bound);
        } else if (without.size() < states.size()) {
            throw new IllegalStateException("the nodes " + without + " have no data, the others have");
        }
        group.openDisks();
        enter(Phase.REPLAYED);
        group.startHeld();
        group.takeFromBackups();
        enter(Phase.TAKEN);
        group.release();
        phase = Phase.RUNNING;
    }

    private Set<Long> committed(List<State> states) throws InterruptedException {
        List<RecoveredNode.Undecided> undecided = new ArrayList<>();
        states.forEach(each -> undecided.addAll(each.undecided()));
        List<Map<Long, Boolean>> logged = new ArrayList<>();
        for (int peer = 0; peer < states.size(); peer++) {
            Map<Long, Boolean> answers = new HashMap<>();
            for (int from = 0; from < undecided.size(); from += QUESTIONS_MAX) {
                askLogged(peer, undecided.subList(from, Math.min(undecided.size(), from + QUESTIONS_MAX)), answers);
            }
            logged.add(answers);
        }
        return Fates.committed(
                undecided,
                group.catalog().placement(),
                (node, ring, id) -> logged.get(node).get(id));
    }

    private void askLogged(int peer, List<RecoveredNode.Undecided> undecided, Map<Long, Boolean> answers)
            throws InterruptedException {
        ByteBuffer question = ByteBuffer.allocate(undecided.size() * QUESTION_BYTES);
        undecided.forEach(txn -> question.putInt(txn.ring()).putLong(txn.id()));
        byte[] answer = ask(peer, LOGGED, question.array());
        for (int i = 0; i < undecided.size(); i++) {
            answers.put(undecided.get(i).id(), answer[i] != 0);
        }
    }

    private byte[] logged(byte[] question) {
        ByteBuffer asked = ByteBuffer.wrap(question);
        byte[] answer = new byte[question.length / QUESTION_BYTES];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = (byte) (disk.hasLogged(asked.getInt(), asked.getLong()) ? 1 : 0);
        }
        return answer;
    }

    /** Waits until all nodes are as far as this one. */
    private void enter(Phase reached) throws InterruptedException {
        phase = reached;
        for (int peer = 0; peer < control.nodes(); peer++) {
            while (ask(peer, PHASE, new byte[0])[0] < code(reached)) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    /** Asks until there is an answer: a peer that has died is started again. */
    private byte[] ask(int peer, String topic, byte[] question) throws InterruptedException {
        while (true) {
            try {
                return control.ask(peer, topic, question).get();
            } catch (ExecutionException e) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    private static byte[] encodeState(RecoveredNode disk) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(disk.isNew());
            out.writeLong(disk.bound());
            List<RecoveredNode.Undecided> undecided = disk.undecided();
            out.writeInt(undecided.size());
            for (RecoveredNode.Undecided txn : undecided) {
                out.writeLong(txn.id());
                out.writeInt(txn.ring());
                out.writeShort(txn.partitions().size());
                for (int partition : txn.partitions()) {
                    out.writeShort(partition);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    private static State decodeState(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            boolean isNew = in.readBoolean();
            long bound = in.readLong();
            List<RecoveredNode.Undecided> undecided = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                long id = in.readLong();
                int ring = in.readInt();
                List<Integer> partitions = new ArrayList<>();
                for (int more = in.readShort(); more > 0; more--) {
                    partitions.add((int) in.readShort());
                }
                undecided.add(new RecoveredNode.Undecided(id, ring, partitions));
            }
            return new State(isNew, bound, undecided);
        } catch (IOException e) {
            throw new UncheckedIOException("a peer's answer cannot be read", e);
        }
    }
}
