package dev.rcc.it.protocol;

class MvccOnLocalReplicationTest extends ReplicationContract implements MvccOnLocal {}
