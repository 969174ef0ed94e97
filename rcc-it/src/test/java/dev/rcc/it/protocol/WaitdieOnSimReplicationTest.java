package dev.rcc.it.protocol;

class WaitdieOnSimReplicationTest extends ReplicationContract implements WaitdieOnSim {}
