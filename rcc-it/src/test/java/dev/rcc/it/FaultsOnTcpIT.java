package dev.rcc.it;

class FaultsOnTcpIT extends FaultsContract {
    @Override
    String fabric() {
        return "tcp";
    }
}
