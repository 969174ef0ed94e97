/**
 * The list-append workload of Elle: every record is a list, transactions read lists and append unique elements to them. A
 * list shows the order of its writers, so the histories contain more than those of plain writes.
 *
 * <p>Entry: {@link dev.rcc.bench.workload.listappend.ListAppend}.
 */
package dev.rcc.bench.workload.listappend;
