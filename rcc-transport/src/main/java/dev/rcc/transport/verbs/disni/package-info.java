/**
 * DiSNI's API on RCC's verbs: a provider for {@code com.ibm.disni} 2.1, whose own provider needs a native library that is
 * not distributed. With it DiSNI's endpoints, and DaRPC on top of them, need only rdma-core.
 *
 * <p>Entry: {@link dev.rcc.transport.verbs.disni.DisniProvider#install}, once, before DiSNI is used; after that, callers use
 * DiSNI's classes. {@link dev.rcc.transport.verbs.disni.DisniExtensions} adds the functions that they lack. Stateful verb calls
 * are built once in native memory and executed any number of times. All methods may be called on any thread, as far as DiSNI
 * allows it. A closed object is refused with an {@code IOException}, also when another thread closes it meanwhile, so bad input
 * never causes a crash.
 *
 * <p>Depends on {@code dev.rcc.transport.verbs.ibv} and {@code rdmacm}, not on fabrics.
 */
package dev.rcc.transport.verbs.disni;
