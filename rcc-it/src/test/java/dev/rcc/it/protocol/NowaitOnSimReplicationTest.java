package dev.rcc.it.protocol;

class NowaitOnSimReplicationTest extends ReplicationContract implements NowaitOnSim {}
