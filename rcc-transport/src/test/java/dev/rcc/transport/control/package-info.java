/** The control channel under test, and one without sockets for tests of networks. */
package dev.rcc.transport.control;
