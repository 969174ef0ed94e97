package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.transport.verbs.LabDraw;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {
    /** Hybrid codes that each protocol runs in the lab. */
    private static final int LAB_HYBRIDS = 1;

    /** In the lab, if nobody asks for more: what is refused, the uniform codes, and of the others one that the seed draws. */
    @Override
    Stream<HybridCode> drawnCodes() {
        if (!LabDraw.isShort()) {
            return allCodes();
        }
        List<String> hybrids = allCodes()
                .filter(code -> !isUniform(code) && isAdmitted(code))
                .map(HybridCode::digits)
                .collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(hybrids, LabDraw.random(protocol().name()));
        Set<String> leftOut = Set.copyOf(hybrids.subList(Math.min(LAB_HYBRIDS, hybrids.size()), hybrids.size()));
        return allCodes().filter(code -> !leftOut.contains(code.digits()));
    }

    private boolean isAdmitted(HybridCode code) {
        return WordChange.conflict(protocol(), code, atomicity()).isEmpty();
    }
}
