/** What DSLR, section 6 and appendix A, says in words about lock managers, as a {@link dev.rcc.bench.paper.Book}. */
package dev.rcc.bench.paper.dslr;
