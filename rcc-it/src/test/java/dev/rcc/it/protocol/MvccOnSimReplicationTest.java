package dev.rcc.it.protocol;

class MvccOnSimReplicationTest extends ReplicationContract implements MvccOnSim {}
