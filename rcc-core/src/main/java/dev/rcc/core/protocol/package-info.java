/**
 * The SPI of concurrency-control protocols: {@link dev.rcc.core.protocol.Protocol} names a protocol's stages and makes its
 * coordinators and participants, {@link dev.rcc.core.protocol.HybridCode} chooses the communication primitive of each
 * stage (rcc, 5), and {@link dev.rcc.core.protocol.WordChange} lets a code be checked against a network's atomicity.
 *
 * <p>No protocol lives here, and nothing here depends on one.
 */
package dev.rcc.core.protocol;
