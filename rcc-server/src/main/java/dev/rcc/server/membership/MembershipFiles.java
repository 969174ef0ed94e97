package dev.rcc.server.membership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/**
 * The files of the group's log. Ratis reads every segment as far as it is whole, as the open one may have a torn end. In a closed segment,
 * entries that this node has acknowledged would be lost, so closed segments are checked before.
 */
final class MembershipFiles {
    /** The name that Ratis gives the directory of log segments. */
    private static final String CURRENT = "current";

    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");

    private MembershipFiles() {}

    /**
     * Checks that each closed segment is whole.
     *
     * @param directory the group's directory; perhaps there is none yet
     * @param entryMax no entry is larger
     * @throws IOException when one is not, or cannot be read
     */
    static void checkClosed(Path directory, SizeInBytes entryMax) throws IOException {
        Path current = directory.resolve(CURRENT);
        if (Files.isDirectory(current)) {
            try (Stream<Path> files = Files.list(current)) {
                for (Path file : files.sorted().toList()) {
                    Matcher closed = CLOSED.matcher(file.getFileName().toString());
                    if (closed.matches()) {
                        check(file, Long.parseLong(closed.group(2)) - Long.parseLong(closed.group(1)) + 1, entryMax);
                    }
                }
            }
        }
    }

    private static void check(Path file, long entries, SizeInBytes entryMax) throws IOException {
        LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
        int whole = LogSegment.readSegmentFile(
                file.toFile(), segment.getStartEnd(), entryMax, CorruptionPolicy.WARN_AND_RETURN, null, entry -> {});
        if (whole != entries) {
            throw new IOException(file + " is damaged: " + whole + " of its " + entries
                    + " entries can be read, and the log goes on behind them");
        }
    }
}
