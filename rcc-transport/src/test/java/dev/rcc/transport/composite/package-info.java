/** Tests of two networks that form one. */
package dev.rcc.transport.composite;
