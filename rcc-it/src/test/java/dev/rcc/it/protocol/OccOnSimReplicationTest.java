package dev.rcc.it.protocol;

class OccOnSimReplicationTest extends ReplicationContract implements OccOnSim {}
