/**
 * Workers and coroutines: the threads that run everything, and the only source of waiting, time and randomness for everything above.
 *
 * <p>Entry: {@link dev.rcc.core.worker.Worker}. A worker is one platform thread with one event loop
 * ({@link dev.rcc.core.worker.EventLoop}); a coroutine ({@link dev.rcc.core.worker.Coroutine}) is a virtual thread whose scheduler is its worker. So
 * at any moment a worker runs either its loop or exactly one of its coroutines, and state that belongs to a worker needs no locks. No knowledge of
 * networks, stores or protocols may enter here.
 */
package dev.rcc.core.worker;
