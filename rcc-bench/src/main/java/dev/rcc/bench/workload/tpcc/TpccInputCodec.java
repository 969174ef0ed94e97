package dev.rcc.bench.workload.tpcc;

import dev.rcc.client.Codec;
import java.nio.ByteBuffer;
import java.util.List;

/** An input as the argument of a stored procedure. */
final class TpccInputCodec implements Codec<TpccInput> {
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int NUMBERS = 12;
    private static final int NUMBERS_OF_LINE = 3;
    private static final int LONGS = 3;

    @Override
    public int bytes() {
        return (NUMBERS + NUMBERS_OF_LINE * TpccScale.MAX_LINES) * Integer.BYTES + LONGS * Long.BYTES;
    }

    @Override
    public void encode(TpccInput input, ByteBuffer target) {
        target.putInt(input.kind.number())
                .putInt(input.warehouse)
                .putInt(input.district)
                .putInt(input.customerWarehouse)
                .putInt(input.customerDistrict)
                .putInt(input.customer)
                .putInt(input.name)
                .putInt(input.lines)
                .putInt(input.carrier)
                .putInt(input.firstDistrict)
                .putInt(input.lastDistrict)
                .putInt(input.threshold);
        for (int i = 0; i < TpccScale.MAX_LINES; i++) {
            target.putInt(input.items[i]).putInt(input.suppliers[i]).putInt(input.quantities[i]);
        }
        target.putLong(input.amountCents).putLong(input.historyNumber).putLong(input.dateMillis);
    }

    @Override
    public TpccInput decode(ByteBuffer source) {
        TpccInput input = new TpccInput();
        input.kind = KINDS.get(source.getInt());
        input.warehouse = source.getInt();
        input.district = source.getInt();
        input.customerWarehouse = source.getInt();
        input.customerDistrict = source.getInt();
        input.customer = source.getInt();
        input.name = source.getInt();
        input.lines = source.getInt();
        input.carrier = source.getInt();
        input.firstDistrict = source.getInt();
        input.lastDistrict = source.getInt();
        input.threshold = source.getInt();
        for (int i = 0; i < TpccScale.MAX_LINES; i++) {
            input.items[i] = source.getInt();
            input.suppliers[i] = source.getInt();
            input.quantities[i] = source.getInt();
        }
        input.amountCents = source.getLong();
        input.historyNumber = source.getLong();
        input.dateMillis = source.getLong();
        return input;
    }
}
