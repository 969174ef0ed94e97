package dev.rcc.it.protocol;

@EachProtocol.All
class FailureOnTcpTest extends FailureContract implements OnTcp {}
