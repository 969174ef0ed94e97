/** Tests of the native layer over libibverbs; those that need a device have the tag {@code rdma}. */
package dev.rcc.transport.verbs.ibv;
