package dev.rcc.it.protocol;

class CalvinOnLocalReplicationTest extends ReplicationContract implements CalvinOnLocal {}
