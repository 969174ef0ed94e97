package dev.rcc.it.protocol;

class WaitdieOnLocalReplicationTest extends ReplicationContract implements WaitdieOnLocal {}
