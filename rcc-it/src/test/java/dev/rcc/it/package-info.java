/** The whole system under test: its architecture, and its command line. */
package dev.rcc.it;
