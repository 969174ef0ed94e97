/** Tests of the messages between drivers and agents. */
package dev.rcc.bench.agent;
