package dev.rcc.client;

import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Message;
import java.nio.ByteBuffer;
import java.time.Instant;

/** A call of a stored procedure, with attempts until its outcome is known. It is carried out at most once. */
final class ProcedureCall<A, R> {
    private final RccClient client;
    private final Cluster cluster;
    private final ProcedureType<A, R> type;
    private final Bytes argument;
    private final Deadline deadline;
    private final ClientTelemetry.Call call;

    ProcedureCall(
            RccClient client,
            Cluster cluster,
            ProcedureType<A, R> type,
            A argument,
            Deadline deadline,
            ClientTelemetry.Call call) {
        this.client = client;
        this.cluster = cluster;
        this.type = type;
        byte[] bytes = new byte[type.argument().bytes()];
        type.argument().encode(argument, ByteBuffer.wrap(bytes));
        this.argument = Bytes.wrap(bytes);
        this.deadline = deadline;
        this.call = call;
    }

    /**
     * Makes one attempt. The gateway itself tries again after a conflict; another attempt is needed after a lost answer, for instance.
     *
     * @param near the record near which it begins, or null
     */
    R attempt(Near near) {
        Cluster.Place place = cluster.place(near, deadline);
        place.link().checkLength(request(CommitId.NONE)); // before the call takes a place among those that are open
        ClientTelemetry.Call measured = client.telemetry()
                .begin(
                        new ClientTelemetry.Operation(
                                ClientTelemetry.Kind.REQUEST,
                                "call",
                                place.link().welcome().cluster(),
                                "",
                                type.name(),
                                place.endpoint().toString()),
                        call);
        Throwable failure = null;
        try {
            return attempt(place, near);
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            measured.end(failure);
        }
    }

    private Message.Call request(CommitId id) {
        return new Message.Call(
                type.readOnly(), Txn.timeoutMillis(deadline), client.token(), id, type.name(), argument);
    }

    private R attempt(Cluster.Place place, Near near) {
        client.faults().delay();
        Faults.Fault fault = client.faults().drawCommit();
        if (fault == Faults.Fault.CONFLICT) {
            throw Faults.conflict();
        }
        boolean isSent = type.readOnly() || fault != Faults.Fault.UNKNOWN_AND_NOT_COMMITTED;
        if (isSent) {
            place.link().open();
        }
        CommitId id = type.readOnly() ? CommitId.NONE : client.newCommit(place.link(), near);
        CommitTicket ticket = new CommitTicket(
                id, place.endpoint().toString(), place.link().welcome().incarnation(), Instant.now());
        if (!isSent) {
            throw RccClient.unknown(ticket, null);
        }
        Bytes result;
        try {
            Message.Returned reply = (Message.Returned)
                    deadline.later(Txn.GRACE).await(place.link().endBy(request(id)));
            client.settled(id);
            client.observe(reply.commitTs());
            result = reply.result();
        } catch (RccException e) {
            if (e.code() == ErrorCode.RESULT_LOST) {
                client.settled(id);
                throw lost(ticket, e);
            } else if (e.isFromGateway() || type.readOnly()) {
                if (e.code() != ErrorCode.OUTCOME_SLOT_TAKEN) {
                    client.settled(id);
                }
                throw e; // it has had no effect
            }
            Deadline last = deadline.later(Txn.GRACE.multipliedBy(2));
            result = client.resolve(ticket, last, e).result(); // lost, perhaps after it took effect
            if (result == null) {
                result = client.resultAt(place.endpoint(), ticket, last).orElseThrow(() -> lost(ticket, e));
            }
        }
        if (fault == Faults.Fault.UNKNOWN_AND_COMMITTED && !type.readOnly()) {
            throw RccClient.unknown(ticket, null);
        }
        return decode(type, result);
    }

    private ResultLostException lost(CommitTicket ticket, RccException cause) {
        return new ResultLostException(
                ticket,
                "procedure " + type.name() + " has committed, as " + ticket.id()
                        + ", and its result was lost with the connection: read what it has written instead of calling"
                        + " it again, or have the servers keep larger results (client.result-bytes)",
                cause);
    }

    /** Converts the bytes of a result. */
    static <R> R decode(ProcedureType<?, R> type, Bytes result) {
        if (result.length() != type.result().bytes()) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "procedure " + type.name() + " returns " + result.length() + " bytes, the codec reads "
                            + type.result().bytes()
                            + ": it has taken effect; give the client the server's ProcedureType",
                    null);
        }
        return type.result().decode(ByteBuffer.wrap(result.unsafeArray()));
    }
}
