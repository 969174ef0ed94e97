package dev.rcc.transport.control;

class ControlContractOnJvmTest extends ControlContract {
    @Override
    Cluster cluster(int nodes) {
        JvmControl.Cluster cluster = new JvmControl.Cluster(nodes);
        Control[] controls = new Control[nodes];
        return new Cluster() {
            @Override
            public Control join(int node) {
                return controls[node] = cluster.join(node);
            }

            @Override
            public void kill(int node) {
                cluster.kill(node);
            }

            @Override
            public void cut(int one, int other) {
                cluster.cut(one, other);
            }

            @Override
            public void heal(int one, int other) {
                cluster.heal(one, other);
            }

            @Override
            public void close() {
                for (Control control : controls) {
                    if (control != null) {
                        control.close();
                    }
                }
            }
        };
    }
}
