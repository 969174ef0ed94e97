package dev.rcc.it.protocol;

class PunctualOnLocalReplicationTest extends ReplicationContract implements PunctualOnLocal {}
