package dev.rcc.bench.workload.tpcc;

import java.util.function.Supplier;

/**
 * The rules for drawing inputs (2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1).
 *
 * @param scale the scale of the tables
 * @param nurand the constants of the run
 * @param mix makes the draw of kinds, for each client
 * @param remoteLines how many of a hundred order lines another warehouse supplies
 * @param remotePayments how many of a hundred payments are for customers of another warehouse
 * @param byName how many of a hundred inputs name the customer by last name
 * @param rollbacks how many of a hundred NewOrders end with an item that does not exist
 * @param waits whether users read and type
 * @param inParts whether a Delivery is a transaction for each district, not one for all (2.7.2)
 */
record TpccRules(
        TpccScale scale,
        Nurand nurand,
        Supplier<Mix> mix,
        double remoteLines,
        double remotePayments,
        double byName,
        double rollbacks,
        boolean waits,
        boolean inParts) {}
