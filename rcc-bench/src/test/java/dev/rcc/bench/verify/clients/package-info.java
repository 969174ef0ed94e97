/** Tests of the simulated clients. */
package dev.rcc.bench.verify.clients;
