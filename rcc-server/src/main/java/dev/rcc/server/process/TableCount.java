package dev.rcc.server.process;

import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import java.util.List;

/** The number of tables of a cluster. An ordered table and an index have a second one each, with the nodes of their trees. */
final class TableCount {
    private TableCount() {}

    /**
     * Checks the number of tables in a configuration, before they are made.
     *
     * @throws IllegalArgumentException when there are too many; the message has the number and the limit
     */
    static void check(int given) {
        if (given > TableSchema.MAX_TABLES) {
            throw new IllegalArgumentException(
                    ServerOptions.TABLES + ": got " + given + " tables, allowed: at most " + TableSchema.MAX_TABLES);
        }
    }

    /**
     * Checks that a cluster can have these tables.
     *
     * @param given the tables of the configuration
     * @param own number of tables that the servers add for records of their own
     * @param nodes number of nodes
     * @throws IllegalArgumentException when there are too many; the message has the numbers and the limit
     */
    static void check(List<TableSchema> given, int own, int nodes) {
        int trees = (int) given.stream().filter(TableSchema::isOrdered).count();
        int all = given.size() + trees + own;
        int most = Catalog.maxTables(nodes);
        if (all > most) {
            throw new IllegalArgumentException(
                    ServerOptions.TABLES + ": got " + given.size() + " tables, of which " + trees
                            + " are ordered or indexes and count twice, and the servers add " + own + ", " + all
                            + " in all, allowed: at most " + most + " in all on " + nodes + " nodes");
        }
    }
}
