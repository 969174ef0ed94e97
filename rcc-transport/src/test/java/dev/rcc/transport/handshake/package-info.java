/** Tests of handshakes, and a second implementation of the handshake for attackers. */
package dev.rcc.transport.handshake;
