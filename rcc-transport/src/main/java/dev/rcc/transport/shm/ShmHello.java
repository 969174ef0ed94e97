package dev.rcc.transport.shm;

import dev.rcc.core.memory.RemoteAddress;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's description of itself, for a peer that maps its memory. All values are checked, also when read from a peer's bytes.
 *
 * @param incarnation the node's incarnation
 * @param workers the number of its workers
 * @param nodeFile its node file, to wake them
 * @param regions its registered regions
 */
record ShmHello(long incarnation, int workers, Path nodeFile, List<RegionFile> regions) {
    /** A registered region. */
    record RegionFile(int id, long bytes, Path path) {}

    private static final int VERSION = 1;

    ShmHello {
        regions = List.copyOf(regions);
        require(workers > 0 && workers <= ShmNodeFileLayout.MAX_WORKERS, "number of workers", workers);
        for (RegionFile region : regions) {
            require(region.id() >= 0 && region.id() <= RemoteAddress.MAX_REGION, "region id", region.id());
            require(
                    region.bytes() > 0 && region.bytes() - 1 <= RemoteAddress.MAX_OFFSET,
                    "region size",
                    region.bytes());
        }
    }

    /** One more than the largest region id. */
    int regionIds() {
        return regions.stream().mapToInt(RegionFile::id).max().orElse(-1) + 1;
    }

    byte[] toBytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeLong(incarnation);
            out.writeInt(workers);
            out.writeUTF(nodeFile.toString());
            out.writeInt(regions.size());
            for (RegionFile region : regions) {
                out.writeInt(region.id());
                out.writeLong(region.bytes());
                out.writeUTF(region.path().toString());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e); // cannot happen: the bytes stay in memory
        }
        return bytes.toByteArray();
    }

    /**
     * Reads the bytes that {@link #toBytes} wrote.
     *
     * @throws IOException when the bytes end too early
     * @throws IllegalArgumentException when they are invalid
     */
    static ShmHello read(DataInputStream in) throws IOException {
        int version = in.readInt();
        require(version == VERSION, "version", version);
        long incarnation = in.readLong();
        int workers = in.readInt();
        Path nodeFile = Path.of(in.readUTF());
        int count = in.readInt();
        require(count >= 0 && count <= RemoteAddress.MAX_REGION + 1, "number of regions", count);
        List<RegionFile> regions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            regions.add(new RegionFile(in.readInt(), in.readLong(), Path.of(in.readUTF())));
        }
        return new ShmHello(incarnation, workers, nodeFile, regions);
    }

    private static void require(boolean holds, String what, long given) {
        if (!holds) {
            throw new IllegalArgumentException("invalid hello: " + what + " is " + given);
        }
    }
}
