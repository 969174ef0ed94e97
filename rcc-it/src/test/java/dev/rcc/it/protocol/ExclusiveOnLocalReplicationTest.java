package dev.rcc.it.protocol;

class ExclusiveOnLocalReplicationTest extends ReplicationContract implements ExclusiveOnLocal {}
