package dev.rcc.it.protocol;

class PunctualOnSimReplicationTest extends ReplicationContract implements PunctualOnSim {}
