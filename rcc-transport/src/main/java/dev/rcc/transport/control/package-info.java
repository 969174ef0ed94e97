/**
 * How the processes of a cluster find each other and agree on what their network needs: {@link
 * dev.rcc.transport.control.Control}. The networks of several processes stand on it; no data of transactions ever travels here.
 */
package dev.rcc.transport.control;
