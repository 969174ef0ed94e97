/** Tests of the verbs network; those that need a device have the tag {@code rdma}. */
package dev.rcc.transport.verbs;
