/**
 * The promises of every protocol, on every network and under every hybrid code: one contract a promise, each a subclass
 * of {@link dev.rcc.it.protocol.ProtocolContract}. A protocol on a network is a {@link
 * dev.rcc.it.protocol.ProtocolSetup}; a test is a contract with a setup.
 */
package dev.rcc.it.protocol;
