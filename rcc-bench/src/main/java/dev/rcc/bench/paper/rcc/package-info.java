/** The claims of RCC, sections 4.2, 4.4, 5.1, and 6.2 to 6.6, in words, about its six protocols, as a {@link dev.rcc.bench.paper.Book}. */
package dev.rcc.bench.paper.rcc;
