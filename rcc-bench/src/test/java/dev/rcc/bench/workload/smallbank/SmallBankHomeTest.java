package dev.rcc.bench.workload.smallbank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.bench.workload.KeyChooser;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SmallBankHomeTest {
    private static final int NODES = 3;
    private static final int CLIENTS = 7; // two on each node, and one more
    private static final int DRAWS = 200;

    @Test
    void shouldDrawTheCustomersOfAClientsOwnNode() {
        for (int client = 0; client < CLIENTS; client++) {
            assertThat(nodesOf("node", client)).as("client %d", client).containsExactly(Math.min(2, client / 2));
        }
    }

    @Test
    void shouldDrawTheCustomersOfNode0ForAllClients() {
        for (int client = 0; client < CLIENTS; client++) {
            assertThat(nodesOf("node-0", client)).as("client %d", client).containsExactly(0);
        }
    }

    @Test
    void shouldDrawCustomersOfAllNodesByDefault() {
        assertThat(nodesOf("cluster", 0)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldRefuseSoFewCustomersThatANodeMayHaveNone() {
        Workload few = Workloads.create("smallbank", Map.of("home", "node", "accounts", "299"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> few.checkClients(NODES, CLIENTS))
                .withMessageContaining("-P accounts: got '299', allowed: at least 300 while home is node");
        Workload hot =
                Workloads.create("smallbank", Map.of("home", "node-0", "hot-accounts", "10", "hot-probability", "100"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hot.checkClients(NODES, CLIENTS))
                .withMessageContaining("-P hot-accounts: got '10', allowed: at least 300 while home is node-0");
        Workloads.create("smallbank", Map.of("accounts", "2")).checkClients(NODES, CLIENTS);
    }

    private static Set<Integer> nodesOf(String home, int client) {
        SmallBank workload = (SmallBank) Workloads.create("smallbank", Map.of("home", home));
        Catalog catalog = new Catalog(new RingPlacement(NODES, 2), 8, workload.tables(NODES));
        KeyChooser customers = workload.customers(catalog, client, CLIENTS);
        SplittableRandom random = new SplittableRandom(client);
        Table savings = catalog.table(SmallBank.SAVINGS);
        Set<Integer> nodes = new TreeSet<>();
        for (int i = 0; i < DRAWS; i++) {
            long customer = customers.next(random);
            nodes.add(catalog.placement().primary(savings.partition(savings.keyHash(customer))));
        }
        return nodes;
    }
}
