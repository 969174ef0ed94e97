/**
 * How the processes of a cluster find each other and exchange the data that their network needs: {@link dev.rcc.transport.control.Control}. The
 * networks between processes are built on it; no data of transactions is ever sent here.
 */
package dev.rcc.transport.control;
