package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.Procedure;
import java.util.Map;

/** Makes procedures of the input of a terminal's user. */
final class TpccGenerator implements Generator {
    private final Terminal terminal;
    private final NewOrder newOrder;
    private final Payment payment;
    private final OrderStatus orderStatus;
    private final Delivery delivery;
    private final StockLevel stockLevel;
    private final TpccTally tally = new TpccTally();
    private final Look look;
    private final LookProcedure looking;
    private TpccInput input;

    TpccGenerator(TpccTables tables, Catalog catalog, TpccScale scale, Terminal terminal) {
        this.terminal = terminal;
        this.newOrder = new NewOrder(tables);
        this.payment = new Payment(tables);
        this.orderStatus = new OrderStatus(tables);
        this.delivery = new Delivery(tables);
        this.stockLevel = new StockLevel(tables);
        this.look = new Look(scale);
        this.looking = new LookProcedure(look, catalog);
    }

    @Override
    public Procedure next() {
        input = terminal.next();
        TpccProcedure procedure = switch (input.kind) {
            case NEW_ORDER -> newOrder;
            case PAYMENT -> payment;
            case ORDER_STATUS -> orderStatus;
            case DELIVERY -> delivery;
            case STOCK_LEVEL -> stockLevel;
        };
        return procedure.of(input);
    }

    @Override
    public long pauseNanos() {
        return terminal.pauseNanos();
    }

    @Override
    public void committed() {
        tally.committed(input);
        if (input.kind == Kind.DELIVERY) {
            tally.delivered(delivery.delivered(), input);
        }
    }

    @Override
    public Procedure look() {
        return looking;
    }

    @Override
    public void looked() {
        tally.looked(look);
        look.next();
    }

    /** The committed NewOrders. */
    @Override
    public long tally() {
        return tally.newOrders();
    }

    @Override
    public Map<String, Long> counts() {
        return tally.counts();
    }
}
