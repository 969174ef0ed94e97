/** Tests of two networks that are one. */
package dev.rcc.transport.composite;
