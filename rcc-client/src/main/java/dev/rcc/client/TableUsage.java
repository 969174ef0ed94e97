package dev.rcc.client;

/**
 * How full a table is.
 *
 * @param table the table's name
 * @param records number of records, of which some may have come or gone while they were counted; those of a replicated table count once
 * @param capacity number of records that all partitions are sized for; one of them may be full before that
 * @param overflow how many of the records found no room where their partition's capacity lies, and are in overflow segments, where finding them
 *     costs more
 * @param overflowCapacity for how many records there are overflow segments; 0 for a table that does not grow
 */
public record TableUsage(String table, long records, long capacity, long overflow, long overflowCapacity) {}
