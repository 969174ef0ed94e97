package dev.rcc.it.protocol;

class SundialOnLocalReplicationTest extends ReplicationContract implements SundialOnLocal {}
