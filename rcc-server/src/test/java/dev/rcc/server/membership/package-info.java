/** Tests of what servers agree on. */
package dev.rcc.server.membership;
