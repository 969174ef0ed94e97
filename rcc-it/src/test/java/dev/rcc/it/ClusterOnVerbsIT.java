package dev.rcc.it;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
class ClusterOnVerbsIT extends ClusterContract {
    @Override
    String fabric() {
        return "verbs";
    }
}
