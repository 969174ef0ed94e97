package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.KeyHash;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Payment (2.5): a customer pays; the terminal's warehouse and district add up the payment. */
final class Payment extends TpccProcedure {
    private static final byte BAD = 'B';

    private final byte[] name = new byte[TpccIndexes.NAME_BYTES];
    private final byte[] warehouseName = new byte[WarehouseLayout.NAME_BYTES];
    private final byte[] districtName = new byte[DistrictLayout.NAME_BYTES];
    private final byte[] historyData = new byte[HistoryLayout.DATA_BYTES];
    private final byte[] credit = new byte[CustomerLayout.CREDIT_BYTES];
    private final byte[] data = new byte[CustomerLayout.DATA_BYTES];
    private Access warehouse;
    private Access district;
    private Access customer;
    private Access history;

    Payment(TpccTables tables) {
        super(tables);
    }

    @Override
    public void declare(Transaction txn) {
        warehouse = txn.update(tables.warehouse, TpccKeys.warehouse(input.warehouse));
        district = txn.update(tables.district, TpccKeys.district(input.warehouse, input.district));
        history = txn.insert(tables.history, TpccKeys.history(input.warehouse, input.historyNumber));
        if (input.name == TpccInput.NO_NAME) {
            customer = txn.update(
                    tables.customer,
                    TpccKeys.customer(input.customerWarehouse, input.customerDistrict, input.customer));
        }
    }

    @Override
    public void execute(Transaction txn) {
        if (input.name != TpccInput.NO_NAME) {
            TpccIndexes.putName(name, input.customerWarehouse, input.customerDistrict, input.name);
            customer = txn.update(tables.customer, TpccIndexes.middle(txn, tables.customerByName, name));
            txn.fetch();
        }
        long cents = input.amountCents;
        warehouse.putLong(WarehouseLayout.YTD, warehouse.getLong(WarehouseLayout.YTD) + cents);
        district.putLong(DistrictLayout.YTD, district.getLong(DistrictLayout.YTD) + cents);
        customer.putLong(CustomerLayout.BALANCE, customer.getLong(CustomerLayout.BALANCE) - cents);
        customer.putLong(CustomerLayout.YTD_PAYMENT, customer.getLong(CustomerLayout.YTD_PAYMENT) + cents);
        customer.putLong(CustomerLayout.PAYMENT_COUNT, customer.getLong(CustomerLayout.PAYMENT_COUNT) + 1);
        customer.getBytes(CustomerLayout.CREDIT, credit, 0, credit.length);
        if (credit[0] == BAD) {
            customer.getBytes(CustomerLayout.DATA, data, 0, data.length);
            PaymentTexts.prepend(data, customer.longKey(), district.longKey(), cents);
            customer.putBytes(CustomerLayout.DATA, data, 0, data.length);
        }
        writeHistory(txn);
    }

    /** Inserts the row of HISTORY. Another row may have its number by chance; the number has no meaning. */
    private void writeHistory(Transaction txn) {
        long number = input.historyNumber;
        while (history.exists()) {
            number = KeyHash.mix(number);
            history = txn.insert(tables.history, TpccKeys.history(input.warehouse, number));
            txn.fetch();
        }
        history.putLong(HistoryLayout.CUSTOMER, customer.longKey());
        history.putLong(HistoryLayout.DISTRICT, district.longKey());
        history.putLong(HistoryLayout.DATE, nowMillis(txn));
        history.putLong(HistoryLayout.AMOUNT, input.amountCents);
        warehouse.getBytes(WarehouseLayout.NAME, warehouseName, 0, warehouseName.length);
        district.getBytes(DistrictLayout.NAME, districtName, 0, districtName.length);
        PaymentTexts.join(warehouseName, districtName, historyData);
        history.putBytes(HistoryLayout.DATA, historyData, 0, historyData.length);
    }
}
