package dev.rcc.it;

class ClientOnShmIT extends ClientContract {
    @Override
    String fabric() {
        return "shm";
    }
}
