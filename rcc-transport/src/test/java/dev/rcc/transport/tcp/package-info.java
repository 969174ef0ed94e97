/** The network over TCP under test. */
package dev.rcc.transport.tcp;
