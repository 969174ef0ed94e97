package dev.rcc.transport.verbs.ibv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the layouts of native structs with the C compiler's layouts of rdma-core's headers, if these are installed. */
class LayoutTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();
    private String struct;

    @Test
    void shouldLayOutStructsLikeTheCompiler() throws Exception {
        assumeThat(HEADER).as("rdma-core's headers (libibverbs-dev)").exists();
        assumeThat(System.getProperty("os.arch")).isEqualTo("amd64");
        describe();
        assertThat(compileAndRun()).containsExactlyElementsOf(expected);
    }

    // A table instead of reflection on the layouts, so that the comparison can be read here.
    private void describe() {
        struct("ibv_send_wr", SendWrLayout.BYTES);
        field("wr_id", SendWrLayout.WR_ID);
        field("next", SendWrLayout.NEXT);
        field("sg_list", SendWrLayout.SG_LIST);
        field("num_sge", SendWrLayout.NUM_SGE);
        field("opcode", SendWrLayout.OPCODE);
        field("send_flags", SendWrLayout.SEND_FLAGS);
        field("imm_data", SendWrLayout.IMM_DATA);
        field("wr.rdma.remote_addr", SendWrLayout.REMOTE_ADDR);
        field("wr.atomic.remote_addr", SendWrLayout.REMOTE_ADDR);
        field("wr.rdma.rkey", SendWrLayout.RDMA_RKEY);
        field("wr.atomic.compare_add", SendWrLayout.COMPARE_ADD);
        field("wr.atomic.swap", SendWrLayout.SWAP);
        field("wr.atomic.rkey", SendWrLayout.ATOMIC_RKEY);
        field("wr.ud.ah", SendWrLayout.UD_AH);
        field("wr.ud.remote_qpn", SendWrLayout.UD_REMOTE_QPN);
        field("wr.ud.remote_qkey", SendWrLayout.UD_REMOTE_QKEY);
        struct("ibv_recv_wr", RecvWrLayout.BYTES);
        field("wr_id", RecvWrLayout.WR_ID);
        field("next", RecvWrLayout.NEXT);
        field("sg_list", RecvWrLayout.SG_LIST);
        field("num_sge", RecvWrLayout.NUM_SGE);
        struct("ibv_sge", SgeLayout.BYTES);
        field("addr", SgeLayout.ADDR);
        field("length", SgeLayout.LENGTH);
        field("lkey", SgeLayout.LKEY);
        struct("ibv_wc", WcLayout.BYTES);
        field("wr_id", WcLayout.WR_ID);
        field("status", WcLayout.STATUS);
        field("opcode", WcLayout.OPCODE);
        field("vendor_err", WcLayout.VENDOR_ERR);
        field("byte_len", WcLayout.BYTE_LEN);
        field("imm_data", WcLayout.IMM_DATA);
        field("qp_num", WcLayout.QP_NUM);
        field("src_qp", WcLayout.SRC_QP);
        field("wc_flags", WcLayout.WC_FLAGS);
        struct("ibv_qp_init_attr", QpInitAttrLayout.BYTES);
        field("qp_context", QpInitAttrLayout.QP_CONTEXT);
        field("send_cq", QpInitAttrLayout.SEND_CQ);
        field("recv_cq", QpInitAttrLayout.RECV_CQ);
        field("srq", QpInitAttrLayout.SRQ);
        field("cap.max_send_wr", QpInitAttrLayout.MAX_SEND_WR);
        field("cap.max_recv_wr", QpInitAttrLayout.MAX_RECV_WR);
        field("cap.max_send_sge", QpInitAttrLayout.MAX_SEND_SGE);
        field("cap.max_recv_sge", QpInitAttrLayout.MAX_RECV_SGE);
        field("cap.max_inline_data", QpInitAttrLayout.MAX_INLINE_DATA);
        field("qp_type", QpInitAttrLayout.QP_TYPE);
        field("sq_sig_all", QpInitAttrLayout.SQ_SIG_ALL);
        struct("ibv_qp_attr", QpAttrLayout.BYTES);
        field("qp_state", QpAttrLayout.QP_STATE);
        field("path_mtu", QpAttrLayout.PATH_MTU);
        field("qkey", QpAttrLayout.QKEY);
        field("rq_psn", QpAttrLayout.RQ_PSN);
        field("sq_psn", QpAttrLayout.SQ_PSN);
        field("dest_qp_num", QpAttrLayout.DEST_QP_NUM);
        field("qp_access_flags", QpAttrLayout.QP_ACCESS_FLAGS);
        field("ah_attr", QpAttrLayout.AH_ATTR);
        field("pkey_index", QpAttrLayout.PKEY_INDEX);
        field("max_rd_atomic", QpAttrLayout.MAX_RD_ATOMIC);
        field("max_dest_rd_atomic", QpAttrLayout.MAX_DEST_RD_ATOMIC);
        field("min_rnr_timer", QpAttrLayout.MIN_RNR_TIMER);
        field("port_num", QpAttrLayout.PORT_NUM);
        field("timeout", QpAttrLayout.TIMEOUT);
        field("retry_cnt", QpAttrLayout.RETRY_CNT);
        field("rnr_retry", QpAttrLayout.RNR_RETRY);
        struct("ibv_ah_attr", AhAttrLayout.BYTES);
        field("grh.dgid", AhAttrLayout.DGID);
        field("grh.flow_label", AhAttrLayout.FLOW_LABEL);
        field("grh.sgid_index", AhAttrLayout.SGID_INDEX);
        field("grh.hop_limit", AhAttrLayout.HOP_LIMIT);
        field("grh.traffic_class", AhAttrLayout.TRAFFIC_CLASS);
        field("dlid", AhAttrLayout.DLID);
        field("sl", AhAttrLayout.SL);
        field("is_global", AhAttrLayout.IS_GLOBAL);
        field("port_num", AhAttrLayout.PORT_NUM);
        struct("ibv_context", ContextLayout.BYTES);
        field("device", ContextLayout.DEVICE);
        field("ops.poll_cq", ContextLayout.POLL_CQ);
        field("ops.req_notify_cq", ContextLayout.REQ_NOTIFY_CQ);
        field("ops.post_send", ContextLayout.POST_SEND);
        field("ops.post_recv", ContextLayout.POST_RECV);
        field("cmd_fd", ContextLayout.CMD_FD);
        field("async_fd", ContextLayout.ASYNC_FD);
        field("num_comp_vectors", ContextLayout.NUM_COMP_VECTORS);
        field("abi_compat", ContextLayout.ABI_COMPAT);
        struct("verbs_context", VerbsContextLayout.BYTES);
        field("sz", VerbsContextLayout.SZ);
        field("context", VerbsContextLayout.CONTEXT);
        struct("ibv_device", DeviceLayout.BYTES);
        field("transport_type", DeviceLayout.TRANSPORT_TYPE);
        field("name", DeviceLayout.NAME);
        struct("ibv_gid_entry", GidEntryLayout.BYTES);
        field("gid", GidEntryLayout.GID);
        field("gid_index", GidEntryLayout.GID_INDEX);
        field("port_num", GidEntryLayout.PORT_NUM);
        field("gid_type", GidEntryLayout.GID_TYPE);
        struct("ibv_mr", MrLayout.BYTES);
        field("context", MrLayout.CONTEXT);
        field("pd", MrLayout.PD);
        field("addr", MrLayout.ADDR);
        field("length", MrLayout.LENGTH);
        field("handle", MrLayout.HANDLE);
        field("lkey", MrLayout.LKEY);
        field("rkey", MrLayout.RKEY);
        struct("ibv_pd", PdLayout.BYTES);
        field("context", PdLayout.CONTEXT);
        field("handle", PdLayout.HANDLE);
        struct("ibv_qp", QpLayout.BYTES);
        field("context", QpLayout.CONTEXT);
        field("pd", QpLayout.PD);
        field("send_cq", QpLayout.SEND_CQ);
        field("recv_cq", QpLayout.RECV_CQ);
        field("handle", QpLayout.HANDLE);
        field("qp_num", QpLayout.QP_NUM);
        struct("ibv_cq", CqLayout.BYTES);
        field("context", CqLayout.CONTEXT);
        field("channel", CqLayout.CHANNEL);
        field("cq_context", CqLayout.CQ_CONTEXT);
        field("handle", CqLayout.HANDLE);
        field("cqe", CqLayout.CQE);
        struct("ibv_comp_channel", CompChannelLayout.BYTES);
        field("context", CompChannelLayout.CONTEXT);
        field("fd", CompChannelLayout.FD);
        struct("ibv_port_attr", PortAttrLayout.BYTES);
        field("state", PortAttrLayout.STATE);
        field("max_mtu", PortAttrLayout.MAX_MTU);
        field("active_mtu", PortAttrLayout.ACTIVE_MTU);
        field("gid_tbl_len", PortAttrLayout.GID_TBL_LEN);
        field("max_msg_sz", PortAttrLayout.MAX_MSG_SZ);
        field("lid", PortAttrLayout.LID);
        field("link_layer", PortAttrLayout.LINK_LAYER);
        struct("ibv_device_attr", DeviceAttrLayout.BYTES);
        field("fw_ver", DeviceAttrLayout.FW_VER);
        field("node_guid", DeviceAttrLayout.NODE_GUID);
        field("max_mr_size", DeviceAttrLayout.MAX_MR_SIZE);
        field("vendor_id", DeviceAttrLayout.VENDOR_ID);
        field("max_qp", DeviceAttrLayout.MAX_QP);
        field("max_qp_wr", DeviceAttrLayout.MAX_QP_WR);
        field("max_sge", DeviceAttrLayout.MAX_SGE);
        field("max_cq", DeviceAttrLayout.MAX_CQ);
        field("max_cqe", DeviceAttrLayout.MAX_CQE);
        field("max_mr", DeviceAttrLayout.MAX_MR);
        field("max_qp_rd_atom", DeviceAttrLayout.MAX_QP_RD_ATOM);
        field("max_qp_init_rd_atom", DeviceAttrLayout.MAX_QP_INIT_RD_ATOM);
        field("atomic_cap", DeviceAttrLayout.ATOMIC_CAP);
        field("max_ah", DeviceAttrLayout.MAX_AH);
        field("max_srq", DeviceAttrLayout.MAX_SRQ);
        field("phys_port_cnt", DeviceAttrLayout.PHYS_PORT_CNT);
    }

    private void struct(String name, int bytes) {
        struct = name;
        line("sizeof(struct " + name + ")", bytes);
    }

    private void field(String name, int offset) {
        line("offsetof(struct " + struct + ", " + name + ")", offset);
    }

    private void line(String expression, int value) {
        lines.add("printf(\"%s = %zu\\n\", \"" + expression + "\", (size_t) " + expression + ");");
        expected.add(expression + " = " + value);
    }

    private List<String> compileAndRun() throws Exception {
        Path source = directory.resolve("layout.c");
        Path program = directory.resolve("layout");
        Files.writeString(
                source,
                "#include <stdio.h>\n#include <stddef.h>\n#include <infiniband/verbs.h>\nint main() {\n"
                        + String.join("\n", lines)
                        + "\n}\n");
        String compiler = "gcc";
        assumeThat(Path.of("/usr/bin", compiler)).as("a C compiler").exists();
        run(compiler, "-o", program.toString(), source.toString());
        return run(program.toString()).lines().toList();
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
