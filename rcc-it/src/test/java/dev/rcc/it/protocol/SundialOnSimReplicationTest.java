package dev.rcc.it.protocol;

class SundialOnSimReplicationTest extends ReplicationContract implements SundialOnSim {}
