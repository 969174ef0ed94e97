package dev.rcc.client;

import dev.rcc.client.wire.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The operations for administrators. The client's user needs the role admin on the given table, or on all tables. For any thread.
 *
 * <p>{@link #usage} and {@link #sessions} ask every gateway of the cluster, within the client's deadline. They throw an {@link UnavailableException}
 * if a gateway cannot be reached, and a {@link DeadlineExceededException} if one does not answer in time.
 */
public final class Administration {
    private final Cluster cluster;
    private final ClientOptions options;

    Administration(Cluster cluster, ClientOptions options) {
        this.cluster = cluster;
        this.options = options;
    }

    /**
     * Counts a table's records. The count runs beside the running transactions, and is not a transaction itself.
     *
     * @param table the table's name in the cluster
     * @return the records and the capacity of all its partitions together
     * @throws PermissionException when the user lacks the role admin on the table
     * @throws BadRequestException when the cluster has no such table
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
     * Lists the connections to all gateways.
     *
     * @return the connections of all clients, including this client, those with the most open transactions first
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
     * Closes a client's connection. Its open transactions are aborted, except for commits that are under way. The client may connect again, unless
     * its user has been removed from the servers.
     *
     * @param gateway the connection's gateway, as in {@link SessionDescription#gateway}
     * @param number the connection's number there
     * @return whether there was such a connection
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
