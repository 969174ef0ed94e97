/**
 * Tables in registered memory: schemas, the layouts of tuples and of the RDMA-friendly hash index, and the memstore that
 * holds a node's copies.
 *
 * <p>Entry: {@link dev.rcc.core.store.Catalog} (the schemas and layouts of all tables, the same on every node) and
 * {@link dev.rcc.core.store.Memstore} (the copies that one node holds). Bytes are reached through the layout classes
 * only ({@link dev.rcc.core.store.TupleLayout}, {@link dev.rcc.core.store.TableLayout},
 * {@link dev.rcc.core.store.IndexEntry}), by the owner's CPU and by peers with one-sided verbs alike. How conflicting
 * accesses are ordered is the protocols' affair: nothing here locks a tuple.
 */
package dev.rcc.core.store;
