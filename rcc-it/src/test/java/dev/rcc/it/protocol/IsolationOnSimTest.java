package dev.rcc.it.protocol;

@EachProtocol.All
class IsolationOnSimTest extends IsolationContract implements OnSim {}
