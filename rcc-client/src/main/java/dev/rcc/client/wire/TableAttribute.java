package dev.rcc.client.wire;

/**
 * A further property of a table, in its description from version {@link Wire#TABLE_ATTRIBUTES_VERSION} on. A table has at most one attribute of each
 * kind. Later versions may have more kinds: a reader ignores a kind that it does not know.
 */
public sealed interface TableAttribute {
    /** {@return the number of the kind, 1 to 255} */
    int kind();

    /**
     * The rule that decides on a record's partition, in place of the hash of the whole key.
     *
     * @param rule the rule
     * @param prefixBytes the length in bytes of the key's prefix that decides, of a 64-bit key the most significant bytes; 0 for no prefix
     */
    record Distributed(Rule rule, int prefixBytes) implements TableAttribute {
        /** The number of this kind. */
        public static final int KIND = 1;

        /** The rules that decide on a record's partition. */
        public enum Rule {
            /** The hash of the key's prefix. */
            PREFIX(1),
            /** The key's prefix as a number, modulo the number of partitions. */
            MODULO(2),
            /** No rule: each record is in every partition. */
            REPLICATED(3);

            private final int code;

            Rule(int code) {
                this.code = code;
            }

            int code() {
                return code;
            }
        }

        /** Checks that the rule and the bytes fit together. */
        public Distributed {
            int most = switch (rule) {
                case PREFIX -> Key.MAX_BYTES;
                case MODULO -> Long.BYTES;
                case REPLICATED -> 0;
            };
            int least = Math.min(1, most);
            if (prefixBytes < least || prefixBytes > most) {
                throw new IllegalArgumentException("bytes of a prefix under the rule " + rule + " must be " + least
                        + " to " + most + ", got " + prefixBytes);
            }
        }

        @Override
        public int kind() {
            return KIND;
        }
    }

    /**
     * The table is a secondary index of another table: it has an entry for each record there, and clients cannot write it.
     *
     * @param table the number of the indexed table
     * @param unique whether no two records may have the same index key
     */
    record Indexing(int table, boolean unique) implements TableAttribute {
        /** The number of this kind. */
        public static final int KIND = 2;

        /** Checks the number. */
        public Indexing {
            if (table < 0 || table > 0xFFFF) {
                throw new IllegalArgumentException("the number of a table must be 0 to 65535, got " + table);
            }
        }

        @Override
        public int kind() {
            return KIND;
        }
    }

    /**
     * An attribute of a kind that this library does not know.
     *
     * @param kind the number of the kind
     * @param value the attribute's bytes
     */
    record Other(int kind, Bytes value) implements TableAttribute {
        /** Checks that the kind is not a known kind, and the length. */
        public Other {
            if (kind <= Indexing.KIND || kind > 0xFF) {
                throw new IllegalArgumentException(
                        "a kind that is not known must be " + (Indexing.KIND + 1) + " to 255, got " + kind);
            }
            if (value.length() > Wire.ATTRIBUTE_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "an attribute has at most " + Wire.ATTRIBUTE_BYTES_MAX + " bytes, got " + value.length());
            }
        }
    }
}
