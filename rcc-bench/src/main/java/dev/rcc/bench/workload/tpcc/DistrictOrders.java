package dev.rcc.bench.workload.tpcc;

/** The figures that a check collects of a district and its orders, which have the numbers from 1 to D_NEXT_O_ID - 1. */
final class DistrictOrders {
    private static final int CARRIER = 1;
    private static final int NEW = 2;
    private static final int KNOWN = 4;

    final int warehouse;
    final int district;
    final long ytd;
    final int next;
    /** Flags by order. */
    private final byte[] flags;

    private final byte[] lineCounts;
    private final byte[] lines;
    private final byte[] delivered;
    private final int[] customers;

    int orders;
    int maxOrder;
    int newOrders;
    int minNewOrder = Integer.MAX_VALUE;
    int maxNewOrder;
    long lineCountSum;
    long lineSum;
    long linesAfterStart;
    long paid;
    long deliveries;
    /** By customer: the cost of the lines that were delivered to the customer, and the customer's payments. */
    final long[] deliveredCents;

    final long[] paidCents;

    DistrictOrders(int warehouse, int district, long ytd, int next, int customers) {
        this.warehouse = warehouse;
        this.district = district;
        this.ytd = ytd;
        this.next = next;
        this.flags = new byte[next];
        this.lineCounts = new byte[next];
        this.lines = new byte[next];
        this.delivered = new byte[next];
        this.customers = new int[next];
        this.deliveredCents = new long[customers + 1];
        this.paidCents = new long[customers + 1];
    }

    boolean hasNumber(int order) {
        return order >= 1 && order < next;
    }

    void order(int order, int customer, boolean hasCarrier, int lineCount) {
        orders++;
        maxOrder = Math.max(maxOrder, order);
        lineCountSum += lineCount;
        if (hasNumber(order)) {
            flags[order] |= (byte) (KNOWN | (hasCarrier ? CARRIER : 0));
            lineCounts[order] = (byte) lineCount;
            customers[order] = customer;
        }
    }

    void newOrder(int order) {
        newOrders++;
        minNewOrder = Math.min(minNewOrder, order);
        maxNewOrder = Math.max(maxNewOrder, order);
        if (hasNumber(order)) {
            flags[order] |= NEW;
        }
    }

    void line(int order, boolean isDelivered, long cents) {
        lineSum++;
        if (hasNumber(order)) {
            lines[order]++;
            if (isDelivered) {
                delivered[order]++;
                deliveredCents[customers[order]] += cents;
            }
        }
    }

    boolean isKnown(int order) {
        return (flags[order] & KNOWN) != 0;
    }

    boolean hasCarrier(int order) {
        return (flags[order] & CARRIER) != 0;
    }

    boolean isNew(int order) {
        return (flags[order] & NEW) != 0;
    }

    /** O_OL_CNT. */
    int lineCount(int order) {
        return lineCounts[order];
    }

    /** Rows of ORDER-LINE. */
    int lines(int order) {
        return lines[order];
    }

    /** The order's rows of ORDER-LINE that have a delivery date. */
    int deliveredLines(int order) {
        return delivered[order];
    }

    @Override
    public String toString() {
        return "district " + warehouse + "/" + district;
    }
}
