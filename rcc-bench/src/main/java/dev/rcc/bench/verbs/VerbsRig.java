package dev.rcc.bench.verbs;

import dev.rcc.transport.verbs.ibv.VerbsLibrary;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** The devices of this machine, on which the measurements run. Tests replace it. */
public interface VerbsRig {
    /** The names of the devices. */
    List<String> devices();

    /**
     * Makes all measurements.
     *
     * @param gidIndex the index of the device's GID to use; below 0 for the best
     * @param listener receives each comparison when it is complete
     * @throws MeasurementFailed when a measurement failed; the message gives the reason
     */
    List<Comparison> run(VerbsBenchConfig config, int gidIndex, Consumer<Comparison> listener)
            throws IOException, InterruptedException;

    /** The rig of this machine. */
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
