package dev.rcc.server.membership;

import dev.rcc.server.consensus.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.ratis.util.SizeInBytes;

/** The files of the group's log, which are checked before Ratis reads them: it would take a closed segment as far as it is whole. */
final class MembershipFiles {
    private MembershipFiles() {}

    /**
     * Checks that each closed segment is whole.
     *
     * @param directory the group's directory; perhaps there is none yet
     * @param entryMax no entry is larger
     * @throws IOException when one is not, or cannot be read
     */
    static void checkClosed(Path directory, SizeInBytes entryMax) throws IOException {
        for (SegmentFile segment : SegmentFile.in(directory)) {
            if (!segment.isOpen()) {
                segment.read(entryMax, entry -> {});
            }
        }
    }
}
