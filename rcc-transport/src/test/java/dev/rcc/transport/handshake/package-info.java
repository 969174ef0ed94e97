/** Tests of handshakes, and the handshake written once more for those who attack it. */
package dev.rcc.transport.handshake;
