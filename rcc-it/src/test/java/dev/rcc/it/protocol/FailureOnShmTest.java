package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class FailureOnShmTest extends FailureContract implements OnShm {}
