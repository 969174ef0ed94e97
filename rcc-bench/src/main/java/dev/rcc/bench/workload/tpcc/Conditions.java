package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.server.ClusterInspection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The twelve consistency conditions (3.3.2.1 to 3.3.2.12), for a cluster at rest. Other checks verify that backups equal primaries, and indexes
 * their tables. One condition is added: the counts in STOCK equal those of the new orders in ORDER-LINE.
 */
final class Conditions {
    private final TpccTables tables;
    private final TpccScale scale;
    private final ClusterInspection inspection;
    private final Findings findings = new Findings();
    private final Map<Integer, Long> warehouseYtd = new HashMap<>();
    private final Map<Integer, Long> paidTo = new HashMap<>();
    /** The districts by their keys. */
    private final Map<Long, DistrictOrders> districts = new HashMap<>();

    private long histories;

    Conditions(TpccTables tables, TpccScale scale, ClusterInspection inspection) {
        this.tables = tables;
        this.scale = scale;
        this.inspection = inspection;
    }

    /** Reads all tables, and returns the violations, a sentence for each condition that does not hold. */
    List<String> violations() {
        readWarehouses();
        readDistricts();
        readOrders();
        readNewOrders();
        readLines();
        readHistory();
        readCustomers();
        districts.values().forEach(this::checkDistrict);
        checkWarehouses();
        checkStock();
        expectCount(tables.item, (long) scale.items() * tables.itemCopies);
        return findings.sentences();
    }

    /** Orders beyond those at the start; valid once the orders were read. */
    long newOrders() {
        return districts.values().stream()
                .mapToLong(each -> each.next - 1L - scale.orders())
                .sum();
    }

    /** Rows of HISTORY beyond those at the start. */
    long payments() {
        return histories - scale.allDistricts() * scale.customers();
    }

    /** Lines of orders beyond those at the start. */
    long newLines() {
        return districts.values().stream()
                .mapToLong(each -> each.linesAfterStart)
                .sum();
    }

    /** Orders that have been delivered since the start. */
    long deliveries() {
        return districts.values().stream().mapToLong(each -> each.deliveries).sum();
    }

    private interface Row {
        void of(long key, Memory memory, long record);
    }

    private void each(Table table, Row row) {
        inspection.forEachTuple(
                table, (memory, keyOffset, record) -> row.of(memory.getLong(keyOffset), memory, record));
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    private void readWarehouses() {
        each(
                tables.warehouse,
                (key, memory, record) ->
                        warehouseYtd.put(TpccKeys.warehouseOf(key), memory.getLong(record + WarehouseLayout.YTD)));
        findings.expect(
                warehouseYtd.size() == scale.warehouses(),
                "rows of WAREHOUSE",
                () -> "there are " + warehouseYtd.size() + ", loaded were " + scale.warehouses());
    }

    private void readDistricts() {
        each(
                tables.district,
                (key, memory, record) -> districts.put(
                        key,
                        new DistrictOrders(
                                TpccKeys.warehouseOf(key),
                                TpccKeys.districtOf(key),
                                memory.getLong(record + DistrictLayout.YTD),
                                (int) memory.getLong(record + DistrictLayout.NEXT_ORDER),
                                scale.customers())));
        findings.expect(
                districts.size() == scale.allDistricts(),
                "rows of DISTRICT",
                () -> "there are " + districts.size() + ", loaded were " + scale.allDistricts());
    }

    /** The district of a record whose key begins with a district's key. */
    private DistrictOrders district(long key) {
        return districts.get(TpccKeys.district(TpccKeys.warehouseOf(key), TpccKeys.districtOf(key)));
    }

    private void readOrders() {
        each(tables.order, (key, memory, record) -> {
            DistrictOrders district = district(key);
            int customer = (int) memory.getLong(record + OrderLayout.CUSTOMER);
            if (district == null || customer < 1 || customer > scale.customers()) {
                findings.expect(false, "rows of ORDER", () -> "order " + name(key) + " is of customer " + customer);
                return;
            }
            district.order(
                    TpccKeys.orderOf(key),
                    customer,
                    memory.getLong(record + OrderLayout.CARRIER) != OrderLayout.NO_CARRIER,
                    (int) memory.getLong(record + OrderLayout.LINE_COUNT));
        });
    }

    private void readNewOrders() {
        each(tables.newOrder, (key, memory, record) -> {
            DistrictOrders district = district(key);
            if (district != null) {
                district.newOrder(TpccKeys.orderOf(key));
            }
        });
    }

    private void readLines() {
        each(tables.orderLine, (key, memory, record) -> {
            DistrictOrders district = district(key);
            if (district != null) {
                int order = TpccKeys.orderOf(key);
                district.line(
                        order,
                        memory.getLong(record + OrderLineLayout.DELIVERY_DATE) != OrderLineLayout.NOT_DELIVERED,
                        memory.getLong(record + OrderLineLayout.AMOUNT));
                district.linesAfterStart += order > scale.orders() ? 1 : 0;
            }
        });
    }

    private void readHistory() {
        each(tables.history, (key, memory, record) -> {
            histories++;
            long amount = memory.getLong(record + HistoryLayout.AMOUNT);
            long customer = memory.getLong(record + HistoryLayout.CUSTOMER);
            DistrictOrders payee = district(memory.getLong(record + HistoryLayout.DISTRICT));
            DistrictOrders payers = district(customer);
            int number = TpccKeys.customerOf(customer);
            if (payee == null || payers == null || number < 1 || number > scale.customers()) {
                findings.expect(
                        false, "rows of HISTORY", () -> "one is of customer " + customer + ", which there is not");
                return;
            }
            payee.paid += amount;
            paidTo.merge(payee.warehouse, amount, Long::sum);
            payers.paidCents[number] += amount;
        });
    }

    private void readCustomers() {
        long[] count = {0};
        each(tables.customer, (key, memory, record) -> {
            count[0]++;
            DistrictOrders district = district(key);
            int number = TpccKeys.customerOf(key);
            long balance = memory.getLong(record + CustomerLayout.BALANCE);
            long ytd = memory.getLong(record + CustomerLayout.YTD_PAYMENT);
            long delivered = district.deliveredCents[number];
            long paid = district.paidCents[number];
            district.deliveries += memory.getLong(record + CustomerLayout.DELIVERY_COUNT);
            findings.expect(
                    balance == delivered - paid,
                    condition(10),
                    () -> "customer " + name(district, number) + " has a balance of " + balance
                            + " cents, but the delivered amount is " + delivered + ", and the paid amount " + paid);
            findings.expect(
                    balance + ytd == delivered,
                    condition(12),
                    () -> "customer " + name(district, number) + " has a balance of " + balance
                            + " cents and payments of " + ytd + ", but the delivered amount is " + delivered);
        });
        long loaded = scale.allDistricts() * scale.customers();
        findings.expect(
                count[0] == loaded, "rows of CUSTOMER", () -> "there are " + count[0] + ", loaded were " + loaded);
    }

    // ---- checking --------------------------------------------------------------------------------------------------

    private void checkWarehouses() {
        Map<Integer, Long> sums = districts.values().stream()
                .collect(Collectors.groupingBy(each -> each.warehouse, Collectors.summingLong(each -> each.ytd)));
        warehouseYtd.forEach((warehouse, ytd) -> {
            long sum = sums.getOrDefault(warehouse, 0L);
            findings.expect(
                    ytd == sum,
                    condition(1),
                    () -> "warehouse " + warehouse + " has W_YTD " + ytd + ", but its districts' D_YTD add up to "
                            + sum);
            long paid = paidTo.getOrDefault(warehouse, 0L);
            findings.expect(
                    ytd == paid,
                    condition(8),
                    () -> "warehouse " + warehouse + " has W_YTD " + ytd + ", but its payments add up to " + paid);
        });
    }

    private void checkDistrict(DistrictOrders district) {
        boolean hasNew = district.newOrders > 0;
        findings.expect(
                district.next - 1 == district.maxOrder && (!hasNew || district.maxNewOrder == district.maxOrder),
                condition(2),
                () -> district + " has D_NEXT_O_ID " + district.next + ", but its last order is " + district.maxOrder
                        + ", and its last new one " + district.maxNewOrder);
        findings.expect(
                !hasNew || district.maxNewOrder - district.minNewOrder + 1 == district.newOrders,
                condition(3),
                () -> district + " has " + district.newOrders + " new orders, but they go from " + district.minNewOrder
                        + " to " + district.maxNewOrder);
        findings.expect(
                district.lineCountSum == district.lineSum,
                condition(4),
                () -> district + " has orders of " + district.lineCountSum + " lines together, but " + district.lineSum
                        + " lines");
        findings.expect(
                district.ytd == district.paid,
                condition(9),
                () -> district + " has D_YTD " + district.ytd + ", but its payments add up to " + district.paid);
        long delivered = scale.firstNewOrder() - 1L + district.deliveries;
        findings.expect(
                district.orders - district.newOrders == delivered,
                condition(11),
                () -> district + " has " + district.orders + " orders, of which " + district.newOrders
                        + " are new, but its customers know of " + delivered + " deliveries");
        for (int order = 1; order < district.next; order++) {
            checkOrder(district, order);
        }
    }

    private void checkOrder(DistrictOrders district, int order) {
        if (!district.isKnown(order)) {
            findings.expect(false, condition(2), () -> "order " + name(district, order) + " is missing");
            return;
        }
        findings.expect(
                district.hasCarrier(order) != district.isNew(order),
                condition(5),
                () -> "order " + name(district, order)
                        + (district.isNew(order) ? " has a carrier, and is new" : " has no carrier, and is not new"));
        findings.expect(
                district.lineCount(order) == district.lines(order),
                condition(6),
                () -> "order " + name(district, order) + " has O_OL_CNT " + district.lineCount(order) + ", but "
                        + district.lines(order) + " lines");
        findings.expect(
                district.deliveredLines(order) == (district.hasCarrier(order) ? district.lines(order) : 0),
                condition(7),
                () -> "order " + name(district, order) + " has " + (district.hasCarrier(order) ? "a" : "no")
                        + " carrier, but of its " + district.lines(order) + " lines "
                        + district.deliveredLines(order) + " have been delivered");
    }

    /** Checks STOCK, which starts with counts of zero: orders that were loaded took nothing from it. */
    private void checkStock() {
        Map<Long, long[]> taken = new HashMap<>();
        each(tables.orderLine, (key, memory, record) -> {
            if (TpccKeys.orderOf(key) > scale.orders()) {
                int supplier = (int) memory.getLong(record + OrderLineLayout.SUPPLIER);
                long[] sums = taken.computeIfAbsent(
                        TpccKeys.stock(supplier, memory.getLong(record + OrderLineLayout.ITEM)), stock -> new long[3]);
                sums[0] += memory.getLong(record + OrderLineLayout.QUANTITY);
                sums[1]++;
                sums[2] += supplier == TpccKeys.warehouseOf(key) ? 0 : 1;
            }
        });
        long[] count = {0};
        long[] nothing = new long[3];
        each(tables.stock, (key, memory, record) -> {
            count[0]++;
            long[] sums = taken.getOrDefault(key, nothing);
            long ytd = memory.getLong(record + StockLayout.YTD);
            long orders = memory.getLong(record + StockLayout.ORDER_COUNT);
            long remote = memory.getLong(record + StockLayout.REMOTE_COUNT);
            findings.expect(
                    ytd == sums[0] && orders == sums[1] && remote == sums[2],
                    "stock",
                    () -> "of item " + TpccKeys.itemOf(key) + " in warehouse " + TpccKeys.warehouseOf(key) + " "
                            + ytd + " were taken by " + orders + " lines, " + remote + " of them remote, but "
                            + "the lines say " + sums[0] + " by " + sums[1] + ", " + sums[2] + " of them remote");
        });
        long loaded = (long) scale.warehouses() * scale.items();
        findings.expect(count[0] == loaded, "rows of STOCK", () -> "there are " + count[0] + ", loaded were " + loaded);
    }

    private void expectCount(Table table, long expected) {
        long[] count = {0};
        inspection.forEachTuple(table, (memory, key, record) -> count[0]++);
        findings.expect(
                count[0] == expected,
                "rows of " + table,
                () -> "there are " + count[0] + ", but there must be " + expected);
    }

    /** The name of a condition. */
    static String condition(int number) {
        return "condition " + (number < 10 ? " " : "") + number + " (3.3.2." + number + ")";
    }

    private static String name(DistrictOrders district, int number) {
        return district.warehouse + "/" + district.district + "/" + number;
    }

    private static String name(long orderKey) {
        return TpccKeys.warehouseOf(orderKey) + "/" + TpccKeys.districtOf(orderKey) + "/" + TpccKeys.orderOf(orderKey);
    }
}
