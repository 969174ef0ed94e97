package dev.rcc.bench.workload.tpcc;

/**
 * What a terminal's user enters: the input of one transaction, of whichever kind. One object serves all transactions of a client. Which
 * fields count depends on the kind.
 */
final class TpccInput {
    /** No last name: the customer is given by number. */
    static final int NO_NAME = -1;

    Kind kind;
    /** The terminal's. */
    int warehouse;

    int district;
    /** Payment: of the customer; NewOrder and OrderStatus: the terminal's. */
    int customerWarehouse;

    int customerDistrict;
    /** Unless there is a name. */
    int customer;
    /** The number of a last name, or {@link #NO_NAME}. */
    int name;

    /** NewOrder's lines. */
    int lines;

    final int[] items = new int[TpccScale.MAX_LINES];
    final int[] suppliers = new int[TpccScale.MAX_LINES];
    final int[] quantities = new int[TpccScale.MAX_LINES];

    /** Payment. */
    long amountCents;
    /** Payment: what the row of HISTORY has as its number, unless it is taken. */
    long historyNumber;
    /** Delivery. */
    int carrier;
    /** Delivery: to these districts, from the first to the last. */
    int firstDistrict;

    int lastDistrict;
    /** StockLevel. */
    int threshold;
    /** When it was entered, in milliseconds since 1970; of clients of the client library. */
    long dateMillis;

    /** Whether nothing is written. */
    boolean isReadOnly() {
        return kind == Kind.ORDER_STATUS || kind == Kind.STOCK_LEVEL;
    }

    /** Whether every line is supplied by the terminal's warehouse. */
    boolean isAllLocal() {
        return remoteLines() == 0;
    }

    /** Lines that another warehouse supplies. */
    int remoteLines() {
        int remote = 0;
        for (int i = 0; i < lines; i++) {
            remote += suppliers[i] == warehouse ? 0 : 1;
        }
        return remote;
    }

    /** Whether a payment is for a customer of another warehouse. */
    boolean isRemotePayment() {
        return customerWarehouse != warehouse;
    }
}
