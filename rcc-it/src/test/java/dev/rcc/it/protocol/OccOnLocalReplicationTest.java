package dev.rcc.it.protocol;

class OccOnLocalReplicationTest extends ReplicationContract implements OccOnLocal {}
