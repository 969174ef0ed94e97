package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {
    /** In the lab, codes of a protocol run in one of so many builds. */
    private static final int ONE_IN = 6;
    /** So many codes of a protocol are refused there. Which ones are does not depend on the network. */
    private static final int REFUSED = 2;

    @Override
    Stream<HybridCode> drawnCodes() {
        if (!isShort()) {
            return super.drawnCodes();
        }
        RandomGenerator random = random("codes of " + protocol().name());
        boolean runs = random.nextInt(ONE_IN) == 0;
        List<HybridCode> admitted = new ArrayList<>();
        List<HybridCode> refused = new ArrayList<>();
        super.drawnCodes().forEach(code -> (isAdmitted(code) ? admitted : refused).add(code));
        Collections.shuffle(refused, random);
        return Stream.concat(
                runs ? admitted.stream() : Stream.empty(), refused.stream().limit(REFUSED));
    }
}
