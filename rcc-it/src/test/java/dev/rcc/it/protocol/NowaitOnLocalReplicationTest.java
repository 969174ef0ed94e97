package dev.rcc.it.protocol;

class NowaitOnLocalReplicationTest extends ReplicationContract implements NowaitOnLocal {}
