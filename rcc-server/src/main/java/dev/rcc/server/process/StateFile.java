package dev.rcc.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The file in which a node's process writes where it is found. A process that has not written it leaves it alone: it may be another process's. */
final class StateFile {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Path file;
    private boolean isWritten;

    StateFile(Path file) {
        this.file = file;
    }

    /** Writes it, unless this process has written it already: later incarnations of the node are found at the same place. */
    synchronized void write(int node, String admin) {
        if (isWritten) {
            return;
        }
        ObjectNode json = MAPPER.createObjectNode();
        json.put("id", node);
        json.put("pid", ProcessHandle.current().pid());
        json.put("admin", admin);
        try {
            WholeFile.write(file, MAPPER.writeValueAsString(json));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written (" + e + ")", e);
        }
        isWritten = true;
    }

    /** Deletes it if this process has written it. */
    synchronized void deleteIfWritten() throws IOException {
        if (isWritten) {
            Files.deleteIfExists(file);
        }
    }
}
