package dev.rcc.transport.shm;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Shared memory of processes on one host. */
public record ShmProvider(ShmOptions chosen) implements FabricProvider {
    private static final Option CLUSTER = Option.matching(
            "shm.cluster",
            ShmOptions.DEFAULT.cluster(),
            ShmOptions.CLUSTER,
            "1 to 64 letters, digits, _ and -",
            "first part of the names of all files");
    private static final Option DIRECTORY = Option.text(
            "shm.directory",
            ShmOptions.DEFAULT.directory().toString(),
            "a directory on tmpfs or persistent memory, the same for all nodes",
            "where the files are that nodes share");
    private static final Option RING = Option.powerOfTwo(
            "shm.ring-bytes",
            ShmOptions.DEFAULT.ringBytes(),
            1 << 12,
            1 << 30,
            "bytes",
            "size of each ring that carries calls");

    /** With the default options. */
    public ShmProvider() {
        this(ShmOptions.DEFAULT);
    }

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public List<Option> options() {
        return List.of(CLUSTER, DIRECTORY, RING);
    }

    @Override
    public FabricProvider with(OptionValues values) {
        return new ShmProvider(
                new ShmOptions(values.text(CLUSTER), Path.of(values.text(DIRECTORY)), values.intValue(RING)));
    }

    @Override
    public Atomicity atomicity() {
        return Atomicity.GLOBAL;
    }

    /** True: files are reserved as a whole, so that no access finds the file system full. */
    @Override
    public boolean takesMemoryAtOnce() {
        return true;
    }

    @Override
    public Fabric attach(Control control) {
        return new ShmFabric(control, chosen);
    }

    @Override
    public Optional<Option> sharedNameOption() {
        return Optional.of(CLUSTER);
    }

    @Override
    public boolean fencesByKilling() {
        return true;
    }

    @Override
    public void removeLeft() {
        ShmFabric.removeDead(chosen);
    }
}
