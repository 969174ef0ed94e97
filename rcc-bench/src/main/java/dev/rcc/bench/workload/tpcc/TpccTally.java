package dev.rcc.bench.workload.tpcc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effects of a client's committed transactions. Allocates nothing to count. */
final class TpccTally {
    private static final Logger LOG = LoggerFactory.getLogger(TpccTally.class);

    static final String NEW_ORDERS = "new_orders";
    static final String LINES = "order_lines";
    static final String REMOTE_LINES = "remote_order_lines";
    static final String PAYMENTS = "payments";
    static final String REMOTE_PAYMENTS = "remote_payments";
    static final String DELIVERED = "delivered_orders";
    static final String SKIPPED = "skipped_deliveries";
    static final String LOOKS = "looks";
    /** The prefix of a count's name, before the number of a condition of 3.3.2. */
    private static final String VIOLATED = "looks_that_violate_";

    private long newOrders;
    private long lines;
    private long remoteLines;
    private long payments;
    private long remotePayments;
    private long delivered;
    private long skipped;
    private long looks;
    private final Map<Integer, Long> violated = new TreeMap<>();

    long newOrders() {
        return newOrders;
    }

    /** Counts a NewOrder or a Payment that has committed. */
    void committed(TpccInput input) {
        switch (input.kind) {
            case NEW_ORDER -> {
                newOrders++;
                lines += input.lines;
                remoteLines += input.remoteLines();
            }
            case PAYMENT -> {
                payments++;
                remotePayments += input.isRemotePayment() ? 1 : 0;
            }
            case ORDER_STATUS, DELIVERY, STOCK_LEVEL -> {}
        }
    }

    /** Counts a Delivery that has committed for some districts, and delivered {@code orders} orders. */
    void delivered(int orders, TpccInput input) {
        delivered += orders;
        skipped += input.lastDistrict - input.firstDistrict + 1 - orders;
    }

    /** Counts a look that has committed. */
    void looked(Look look) {
        looks++;
        look.violated().forEach((condition, what) -> {
            if (violated.merge(condition, 1L, Long::sum) == 1) {
                LOG.error("event=condition_violated condition=3.3.2.{}: {}", condition, what);
            }
        });
    }

    /** The number of looks, in the counts of some clients, in which a condition of 3.3.2 did not hold. */
    static long violations(Map<String, Long> counts, int condition) {
        return counts.getOrDefault(VIOLATED + condition, 0L);
    }

    /** The counts by name. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(NEW_ORDERS, newOrders);
        counts.put(LINES, lines);
        counts.put(REMOTE_LINES, remoteLines);
        counts.put(PAYMENTS, payments);
        counts.put(REMOTE_PAYMENTS, remotePayments);
        counts.put(DELIVERED, delivered);
        counts.put(SKIPPED, skipped);
        counts.put(LOOKS, looks);
        violated.forEach((condition, times) -> counts.put(VIOLATED + condition, times));
        return counts;
    }
}
