package dev.rcc.it;

class ClusterOnShmIT extends ClusterContract {
    @Override
    String fabric() {
        return "shm";
    }
}
