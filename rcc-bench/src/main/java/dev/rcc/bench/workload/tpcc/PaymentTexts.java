package dev.rcc.bench.workload.tpcc;

/** The texts that Payment writes (2.5.2.2). Allocates nothing. */
final class PaymentTexts {
    private static final int SPACES = 4;
    private static final int CENTS = 100;

    private PaymentTexts() {}

    /** H_DATA: the names of the warehouse and of the district, with four spaces between them. */
    static void join(byte[] warehouse, byte[] district, byte[] target) {
        int end = append(warehouse, target, 0);
        for (int i = 0; i < SPACES; i++) {
            target[end++] = ' ';
        }
        end = append(district, target, end);
        while (end < target.length) {
            target[end++] = 0;
        }
    }

    private static int append(byte[] text, byte[] target, int offset) {
        int end = offset;
        for (int i = 0; i < text.length && text[i] != 0; i++) {
            target[end++] = text[i];
        }
        return end;
    }

    /** C_DATA of a customer with bad credit: the payment comes before the present text, whose end is lost. */
    static void prepend(byte[] data, long customerKey, long districtKey, long cents) {
        int length = write(data, customerKey, districtKey, cents, false);
        System.arraycopy(data, 0, data, length, data.length - length);
        write(data, customerKey, districtKey, cents, true);
    }

    /** Writes a payment, or only returns its length. */
    private static int write(byte[] data, long customer, long district, long cents, boolean isReal) {
        int end = number(data, 0, TpccKeys.customerOf(customer), isReal);
        end = number(data, end, TpccKeys.districtOf(customer), isReal);
        end = number(data, end, TpccKeys.warehouseOf(customer), isReal);
        end = number(data, end, TpccKeys.districtOf(district), isReal);
        end = number(data, end, TpccKeys.warehouseOf(district), isReal);
        end = number(data, end, cents / CENTS, isReal);
        end = number(data, end, cents % CENTS, isReal);
        return end;
    }

    /** Writes a number and a space. */
    private static int number(byte[] data, int offset, long number, boolean isReal) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        if (isReal) {
            long rest = number;
            for (int i = digits - 1; i >= 0; i--) {
                data[offset + i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            data[offset + digits] = ' ';
        }
        return offset + digits + 1;
    }
}
