package dev.rcc.server.consensus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;

/**
 * A segment of a group's log, on disk. Ratis reads every segment as far as it is whole. The open segment may end in the middle of an entry, if the
 * process ended while it wrote that entry; the entry does not count. In a closed segment, entries would be missing that the node has acknowledged.
 */
public final class SegmentFile {
    /** The name that Ratis gives the directory of log segments. */
    private static final String CURRENT = "current";

    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_(\\d+)|(\\d+)-(\\d+))");
    private static final int OPEN_FIRST = 1;
    private static final int FIRST = 2;
    private static final int LAST = 3;
    private static final long OPEN = -1;

    private final Path file;
    /** The index of the first entry. */
    private final long first;
    /** The index of the last entry, or {@link #OPEN}. */
    private final long last;

    private SegmentFile(Path file, Matcher name) {
        this.file = file;
        boolean isOpen = name.group(OPEN_FIRST) != null;
        this.first = Long.parseLong(name.group(isOpen ? OPEN_FIRST : FIRST));
        this.last = isOpen ? OPEN : Long.parseLong(name.group(LAST));
    }

    /**
     * The segments of a group's log, in their order.
     *
     * @param directory the group's directory; perhaps there is none yet
     */
    public static List<SegmentFile> in(Path directory) throws IOException {
        Path current = directory.resolve(CURRENT);
        if (!Files.isDirectory(current)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(current)) {
            return files.flatMap(SegmentFile::of)
                    .sorted(Comparator.comparingLong(segment -> segment.first))
                    .toList();
        }
    }

    private static Stream<SegmentFile> of(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Stream.of(new SegmentFile(file, name)) : Stream.empty();
    }

    /** Whether the log may go on in this segment. */
    public boolean isOpen() {
        return last == OPEN;
    }

    /**
     * Passes on the entries.
     *
     * @param entryMax no entry is larger
     * @throws IOException when the file cannot be read, or the segment is closed and not whole
     */
    public void read(SizeInBytes entryMax, Consumer<LogEntryProto> taker) throws IOException {
        int whole = LogSegment.readSegmentFile(
                file.toFile(),
                LogSegmentPath.matchLogSegment(file).getStartEnd(),
                entryMax,
                CorruptionPolicy.WARN_AND_RETURN,
                null,
                taker);
        long entries = last - first + 1;
        if (!isOpen() && whole != entries) {
            throw new IOException(file + " is damaged: " + whole + " of its " + entries
                    + " entries can be read, and the log goes on behind them");
        }
    }
}
