package dev.rcc.it.protocol;

@EachProtocol.All
class IsolationOnTcpTest extends IsolationContract implements OnTcp {}
