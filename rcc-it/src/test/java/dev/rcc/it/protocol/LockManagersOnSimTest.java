package dev.rcc.it.protocol;

/** Under all hybrid codes that the hunt draws these run elsewhere ({@link VerifyTest}): here, under two. */
@EachProtocol.OtherLockManagers
class LockManagersOnSimTest extends IsolationContract implements OnSim {
    @Override
    public int maxCodes() {
        return 2;
    }
}
