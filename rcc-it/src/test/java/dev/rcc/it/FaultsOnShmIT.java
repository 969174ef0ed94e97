package dev.rcc.it;

class FaultsOnShmIT extends FaultsContract {
    @Override
    String fabric() {
        return "shm";
    }
}
