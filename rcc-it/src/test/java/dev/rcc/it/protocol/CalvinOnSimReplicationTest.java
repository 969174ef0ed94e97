package dev.rcc.it.protocol;

class CalvinOnSimReplicationTest extends ReplicationContract implements CalvinOnSim {}
