package dev.rcc.client;

/**
 * How full a table is.
 *
 * @param table the table's name
 * @param records the number of records; some may have been added or removed during the count. A record of a replicated table counts once
 * @param capacity the number of records that all partitions together are sized for; a single partition may be full before that
 * @param overflow the number of the records that found no room within their partition's capacity. They are in overflow segments, where finding them
 *     costs more
 * @param overflowCapacity the number of records that the overflow segments have room for; 0 for a table that does not grow
 */
public record TableUsage(String table, long records, long capacity, long overflow, long overflowCapacity) {}
