package dev.rcc.server.raft;

import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.server.consensus.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.util.SizeInBytes;

/**
 * Reads the log that a group's member has left on its disk. The log may end with entries that no majority has: which transactions have
 * committed is found out with the other members ({@link RaftInDoubt}).
 */
final class RaftLogFiles {
    private final Path directory;
    private final int partition;
    private final int logs;
    private final SizeInBytes entryMax;

    /**
     * The files of a member that does not run.
     *
     * @param directory the group's directory
     * @param logs the number of coordinating workers on all nodes
     * @param entryMax no entry is larger
     */
    RaftLogFiles(Path directory, int partition, int logs, SizeInBytes entryMax) {
        this.directory = directory;
        this.partition = partition;
        this.logs = logs;
        this.entryMax = entryMax;
    }

    /**
     * Passes on the contents of the files; the logs have the numbers that {@link PartitionState#report} gives.
     *
     * @throws IOException when a file cannot be read, or a closed segment is not whole
     */
    void read(ReplicationDisk.Recovered recovered) throws IOException {
        List<LogEntryProto> entries = new ArrayList<>();
        long committed = -1;
        // A segment between others may be missing: Ratis deletes those that a snapshot contains from the newest on.
        for (SegmentFile segment : SegmentFile.in(directory)) {
            segment.read(entryMax, entries::add);
        }
        for (LogEntryProto entry : entries) {
            if (entry.hasMetadataEntry()) {
                committed = Math.max(committed, entry.getMetadataEntry().getCommitIndex());
            }
        }
        for (LogEntryProto entry : entries) {
            if (entry.hasStateMachineLogEntry()
                    && !tell(
                            entry.getStateMachineLogEntry().getLogData().toByteArray(),
                            entry.getIndex() <= committed,
                            recovered)) {
                return;
            }
        }
    }

    /** Passes commands on. Returns whether more may follow: no command after the seal counts. */
    private boolean tell(byte[] commands, boolean isCommitted, ReplicationDisk.Recovered recovered) {
        for (int at = 0; at < commands.length; at = Command.next(commands, at)) {
            int kind = Command.kind(commands, at);
            long word = Command.word(commands, at);
            if (kind == Command.SEAL) {
                return false;
            }
            if (kind == Command.DECIDED) {
                recovered.decided(word);
            } else {
                byte[] entry = new byte[Command.entryBytes(commands, at)];
                System.arraycopy(commands, at + Command.HEADER_BYTES, entry, 0, entry.length);
                recovered.logged(partition * logs + (int) word, entry, kind == Command.LOG_ALONE && isCommitted);
            }
        }
        return true;
    }
}
