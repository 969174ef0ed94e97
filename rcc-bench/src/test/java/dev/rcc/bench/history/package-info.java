/** Tests of histories: their file format, their notation, and how they are recorded. */
package dev.rcc.bench.history;
