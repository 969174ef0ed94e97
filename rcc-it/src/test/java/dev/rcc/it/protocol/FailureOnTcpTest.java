package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class FailureOnTcpTest extends FailureContract implements OnTcp {}
