/** The list of all papers whose claims can be tested. Nothing else is here, so that papers do not depend on each other. */
package dev.rcc.bench.papers;
