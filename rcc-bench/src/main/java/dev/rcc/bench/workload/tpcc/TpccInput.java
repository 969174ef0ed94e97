package dev.rcc.bench.workload.tpcc;

/**
 * The input of a terminal's user for one transaction, of any kind. One object serves all transactions of a client. The kind determines
 * which fields count.
 */
final class TpccInput {
    /** No last name: the input names the customer by number. */
    static final int NO_NAME = -1;

    Kind kind;
    /** The terminal's warehouse. */
    int warehouse;

    int district;
    /** Payment: the customer's warehouse; NewOrder and OrderStatus: the terminal's. */
    int customerWarehouse;

    int customerDistrict;
    /** The customer's number, unless there is a name. */
    int customer;
    /** The number of a last name, or {@link #NO_NAME}. */
    int name;

    /** The number of NewOrder's lines. */
    int lines;

    final int[] items = new int[TpccScale.MAX_LINES];
    final int[] suppliers = new int[TpccScale.MAX_LINES];
    final int[] quantities = new int[TpccScale.MAX_LINES];

    /** Payment's amount. */
    long amountCents;
    /** Payment: the number of the row of HISTORY, unless another row has it. */
    long historyNumber;
    /** Delivery's carrier. */
    int carrier;
    /** Delivery: the first and the last of the districts. */
    int firstDistrict;

    int lastDistrict;
    /** StockLevel's threshold. */
    int threshold;
    /** The time of the input, in milliseconds since 1970; only for clients of the client library. */
    long dateMillis;

    /** Whether the transaction writes nothing. */
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
