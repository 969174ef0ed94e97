/** The claims of DSLR, section 6 and appendix A, in words, about lock managers, as a {@link dev.rcc.bench.paper.Book}. */
package dev.rcc.bench.paper.dslr;
