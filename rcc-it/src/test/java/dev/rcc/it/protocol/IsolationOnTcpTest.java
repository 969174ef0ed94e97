package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class IsolationOnTcpTest extends IsolationContract implements OnTcp {}
