package dev.rcc.transport.verbs.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the layouts of native structs with the C compiler's layouts of the headers, if these are installed. */
class CmLayoutTest {
    private static final Path HEADER = Path.of("/usr/include/rdma/rdma_cma.h");
    private static final Path COMPILER = Path.of("/usr/bin/gcc");

    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private String struct;

    @Test
    void shouldLayOutStructsLikeTheCompiler() throws Exception {
        assumeThat(HEADER).as("rdma-core's headers (librdmacm-dev)").exists();
        assumeThat(COMPILER).as("a C compiler").exists();
        assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");
        struct("rdma_cm_id", CmIdLayout.BYTES);
        field("verbs", CmIdLayout.VERBS);
        field("qp", CmIdLayout.QP);
        field("route.addr.src_addr", CmIdLayout.SRC_ADDR);
        field("route.addr.dst_addr", CmIdLayout.DST_ADDR);
        field("ps", CmIdLayout.PS);
        field("port_num", CmIdLayout.PORT_NUM);
        struct("rdma_cm_event", CmEventLayout.BYTES);
        field("id", CmEventLayout.ID);
        field("listen_id", CmEventLayout.LISTEN_ID);
        field("event", CmEventLayout.EVENT);
        field("status", CmEventLayout.STATUS);
        field("param", CmEventLayout.PARAM);
        struct("rdma_conn_param", ConnParamLayout.BYTES);
        field("private_data", ConnParamLayout.PRIVATE_DATA);
        field("private_data_len", ConnParamLayout.PRIVATE_DATA_LEN);
        field("responder_resources", ConnParamLayout.RESPONDER_RESOURCES);
        field("initiator_depth", ConnParamLayout.INITIATOR_DEPTH);
        field("flow_control", ConnParamLayout.FLOW_CONTROL);
        field("retry_count", ConnParamLayout.RETRY_COUNT);
        field("rnr_retry_count", ConnParamLayout.RNR_RETRY_COUNT);
        struct("rdma_ud_param", UdParamLayout.BYTES);
        field("private_data", UdParamLayout.PRIVATE_DATA);
        field("private_data_len", UdParamLayout.PRIVATE_DATA_LEN);
        field("ah_attr", UdParamLayout.AH_ATTR);
        field("qp_num", UdParamLayout.QP_NUM);
        field("qkey", UdParamLayout.QKEY);
        struct("sockaddr_in", SockAddr.IN_BYTES);
        field("sin_family", SockAddr.FAMILY);
        field("sin_port", SockAddr.PORT);
        field("sin_addr", SockAddr.IN_ADDR);
        struct("sockaddr_in6", SockAddr.IN6_BYTES);
        field("sin6_family", SockAddr.FAMILY);
        field("sin6_port", SockAddr.PORT);
        field("sin6_addr", SockAddr.IN6_ADDR);
        field("sin6_scope_id", SockAddr.IN6_SCOPE_ID);
        for (CmEventType type : CmEventType.values()) {
            line("RDMA_CM_EVENT_" + type.name(), type.code());
        }
        line("RDMA_PS_TCP", CmLibrary.PS_TCP);
        line("RDMA_PS_UDP", CmLibrary.PS_UDP);
        line("RDMA_MAX_RESP_RES", CmLibrary.AS_MANY_AS_POSSIBLE);
        line("AF_INET", SockAddr.AF_INET);
        line("AF_INET6", SockAddr.AF_INET6);
        assertThat(compileAndRun()).containsExactlyElementsOf(expected);
    }

    private void struct(String name, int bytes) {
        struct = name;
        line("sizeof(struct " + name + ")", bytes);
    }

    private void field(String name, int offset) {
        line("offsetof(struct " + struct + ", " + name + ")", offset);
    }

    private void line(String expression, int value) {
        lines.add("printf(\"%s = %zu\\n\", \"" + expression + "\", (size_t) (" + expression + "));");
        expected.add(expression + " = " + value);
    }

    private List<String> compileAndRun() throws Exception {
        Path source = directory.resolve("layout.c");
        Path program = directory.resolve("layout");
        Files.writeString(
                source,
                "#include <stdio.h>\n#include <stddef.h>\n#include <netinet/in.h>\n#include <rdma/rdma_cma.h>\nint main() {\n"
                        + String.join("\n", lines)
                        + "\n}\n");
        run(COMPILER.toString(), "-o", program.toString(), source.toString());
        return run(program.toString()).lines().toList();
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
