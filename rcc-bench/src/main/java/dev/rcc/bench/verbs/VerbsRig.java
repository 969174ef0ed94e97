package dev.rcc.bench.verbs;

import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Where it is measured: the devices of this machine. Tests put themselves in its place. */
public interface VerbsRig {
    /** The names of the devices that there are. */
    List<String> devices();

    /**
     * Measures everything.
     *
     * @param gidIndex which of the device's GIDs to use; below 0 the best
     * @param listener receives each comparison when it is complete
     * @throws MeasurementFailed when one did not come about, with the reason
     */
    List<Comparison> run(VerbsBenchConfig config, int gidIndex, Consumer<Comparison> listener)
            throws IOException, InterruptedException;

    /** This machine's. */
    static VerbsRig here() {
        return new VerbsRig() {
            @Override
            public List<String> devices() {
                return VerbsLibrary.load().devices();
            }

            @Override
            public List<Comparison> run(VerbsBenchConfig config, int gidIndex, Consumer<Comparison> listener)
                    throws IOException, InterruptedException {
                try (VerbsSide side = new VerbsSide(config.device(), gidIndex);
                        Perftest perftest =
                                new Perftest(config, side.gid().index(), side.mtuBytes(), Perftest.systemPath())) {
                    perftest.requirePrograms();
                    try (RccVerbs rcc = new RccVerbs(config, side, perftest::inlineBytes)) {
                        return new VerbsBench(config, perftest, rcc).run(listener);
                    }
                }
            }
        };
    }
}
