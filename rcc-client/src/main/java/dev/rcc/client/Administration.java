package dev.rcc.client;

import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What administrators can do through a client: its user has the role admin on the table that is asked for, or on all tables. Each call asks every
 * gateway of the cluster, within the client's deadline, and ends with an {@link UnavailableException} if one of them does not answer.
 */
public final class Administration {
    private final Cluster cluster;
    private final ClientOptions options;

    Administration(Cluster cluster, ClientOptions options) {
        this.cluster = cluster;
        this.options = options;
    }

    /**
     * Counts a table's records. They are counted beside the transactions that run, not in one.
     *
     * @param table the table's name in the cluster
     * @return records and room of all its partitions together
     * @throws PermissionException when the user lacks the role admin on the table
     * @throws BadRequestException when there is no such table
     */
    public TableUsage usage(String table) {
        Deadline deadline = Deadline.in(options.call().deadline());
        long records = 0;
        long capacity = 0;
        long overflow = 0;
        long overflowCapacity = 0;
        for (Cluster.Place place : cluster.everywhere(deadline)) {
            Message.TableInfo info = place.link().table(table);
            if (info == null) {
                throw RccException.of(
                        ErrorCode.NO_SUCH_TABLE, "the cluster has no table '" + table + "': check its name", null);
            }
            Message.Usage usage =
                    (Message.Usage) deadline.await(place.link().call(new Message.DescribeUsage(info.id()), true));
            records += usage.records();
            capacity += usage.capacity();
            overflow += Math.max(0, usage.overflow());
            overflowCapacity += Math.max(0, usage.overflowCapacity());
        }
        return new TableUsage(table, records, capacity, overflow, overflowCapacity);
    }

    /**
     * Asks who is connected.
     *
     * @return the connections of all clients, this one's too, those with the most open transactions first
     * @throws PermissionException when the user lacks the role admin on all tables
     */
    public List<SessionDescription> sessions() {
        Deadline deadline = Deadline.in(options.call().deadline());
        List<SessionDescription> sessions = new ArrayList<>();
        for (Cluster.Place place : cluster.everywhere(deadline)) {
            boolean more = true;
            for (long last = 0; more; ) {
                Message.Sessions some =
                        (Message.Sessions) deadline.await(place.link().call(new Message.DescribeSessions(last), true));
                for (Message.Session each : some.sessions()) {
                    last = each.number();
                    sessions.add(new SessionDescription(
                            place.endpoint().toString(),
                            each.number(),
                            each.user(),
                            each.client(),
                            each.address(),
                            each.transactions(),
                            Duration.ofMillis(each.connectedMillis())));
                }
                more = some.more() && !some.sessions().isEmpty();
            }
        }
        sessions.sort(Comparator.comparingInt(SessionDescription::transactions)
                .reversed()
                .thenComparing(SessionDescription::gateway)
                .thenComparingLong(SessionDescription::number));
        return sessions;
    }

    /**
     * Closes a client's connection. What is open on it is aborted, but for commits that are under way. The client may connect again, unless
     * the servers do not know its user any more.
     *
     * @param gateway where the connection is, as {@link SessionDescription#gateway} says it
     * @param number its number there
     * @return whether there was one
     * @throws PermissionException when the user lacks the role admin on all tables
     * @throws BadRequestException when the cluster has no such gateway
     */
    public boolean endSession(String gateway, long number) {
        Deadline deadline = Deadline.in(options.call().deadline());
        Endpoint endpoint = Endpoint.parse(gateway);
        if (!cluster.endpoints().contains(endpoint)) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST,
                    "the cluster has no gateway " + gateway + ", only " + cluster.endpoints() + ": name one of those",
                    null);
        }
        Link link = cluster.link(endpoint, deadline);
        return ((Message.Deleted) deadline.await(link.call(new Message.EndSession(number), true))).existed();
    }
}
