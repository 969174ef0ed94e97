/** The list of all papers whose claims can be put to the test. Nothing else lives here, so that papers need not know each other. */
package dev.rcc.bench.papers;
