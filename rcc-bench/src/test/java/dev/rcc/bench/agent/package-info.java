/** Tests of what drivers and agents tell each other. */
package dev.rcc.bench.agent;
