/** What RCC, sections 6.2 to 6.6, says in words about its six protocols, as a {@link dev.rcc.bench.paper.Book}. */
package dev.rcc.bench.paper.rcc;
