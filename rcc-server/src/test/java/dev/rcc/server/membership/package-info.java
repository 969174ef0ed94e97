/** Tests of the servers' agreement on configurations. */
package dev.rcc.server.membership;
