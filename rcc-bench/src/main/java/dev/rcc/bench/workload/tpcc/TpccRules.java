package dev.rcc.bench.workload.tpcc;

import java.util.function.Supplier;

/**
 * How inputs are drawn (2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1).
 *
 * @param scale of the tables
 * @param nurand the constants of the run
 * @param mix makes what draws kinds, for each client
 * @param remoteLines how many of a hundred order lines another warehouse supplies
 * @param remotePayments how many of a hundred payments are for customers of another warehouse
 * @param byName how many of a hundred customers are given by their last names
 * @param rollbacks how many of a hundred NewOrders end with an item that there is not
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
