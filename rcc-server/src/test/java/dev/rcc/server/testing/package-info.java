/** Fixtures that tests of several packages share. */
package dev.rcc.server.testing;
