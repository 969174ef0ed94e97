package dev.rcc.transport.verbs;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.*;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.ibv.*;
import dev.rcc.transport.verbs.rpc.*;
final class NoCalls implements RpcTransport {
    NoCalls(RpcSetting setting) {}
    @Override public RpcChannel open(Worker worker, Memory buffers, MemoryRegion region, CompletionChannel channel, RpcHandlers handlers) {
        return new RpcChannel() {
            @Override public void call(int peer, int rpcId, long a, int b, long c, int d, Completion completion) { completion.fail(peer); }
            @Override public int poll() { return 0; }
            @Override public void arm() {}
        };
    }
    @Override public byte[] describe() { return new byte[3]; }
    @Override public void connect(int peer, byte[] description) {}
    @Override public void disconnect(int peer) {}
    @Override public void close() {}
}
