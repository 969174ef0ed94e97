package dev.rcc.it;

class ClusterOnTcpIT extends ClusterContract {
    @Override
    String fabric() {
        return "tcp";
    }
}
