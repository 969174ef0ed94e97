package dev.rcc.it;

class ClientOnTcpIT extends ClientContract {
    @Override
    String fabric() {
        return "tcp";
    }
}
