/**
 * DiSNI's API on RCC's verbs: a provider for {@code com.ibm.disni} 2.1, whose own needs a native library that nobody
 * carries. With it DiSNI's endpoints, and DaRPC on top of them, run on rdma-core and nothing else.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.disni.DisniProvider#install}, once, before DiSNI is used; after that one uses
 * DiSNI's classes. What they lack is in {@link dev.rcc.transport.verbs.disni.DisniExtensions}. Stateful verb calls are built
 * once in native memory and executed as often as one likes. Everything may be called on any thread, as far as DiSNI allows it;
 * what is closed is refused with an {@code IOException}, also when another thread closes it meanwhile, so that bad input is
 * never a crash.
 *
 * <p>Knows {@code dev.rcc.transport.verbs.ibv} and {@code rdmacm}, and nothing of fabrics.
 */
package dev.rcc.transport.verbs.disni;
