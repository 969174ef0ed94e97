/**
 * The promises of every {@link dev.rcc.core.fabric.Fabric}, as tests: {@link dev.rcc.transport.FabricContract}, which a network subclasses with only
 * its {@link dev.rcc.transport.FabricCluster.Network}.
 */
package dev.rcc.transport;
