package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class SeriesChartTest {
    private static Claim.Finding finding(List<String> names, OptionalDouble logged) {
        List<Row.Value> values = IntStream.range(0, names.size())
                .mapToObj(i -> new Row.Value(names.get(i), 10 * i, 10 * i, 10 * i, OptionalDouble.empty(), logged))
                .toList();
        Row.Measured row = new Row.Measured("a & b < c", "/s", values);
        Outcome outcome = new Outcome("code", Verdict.HELD, "it rises", 1, 1, List.of(), List.of(row, row));
        return new Claim.Finding(
                "6.1", Claim.untested("figure 1", "It rises.", "none"), List.of(outcome), Optional.empty());
    }

    private static Document chart(Claim.Finding finding) throws Exception {
        String svg = SeriesChart.of(finding).orElseThrow();
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    // Goal: a point is as high as its value. Method: values from 0 to 20, the highest of which is at the top.
    @Test
    void shouldDrawALineForEachSeriesOfTheModel() throws Exception {
        Document svg = chart(finding(List.of("1", "3", "5"), OptionalDouble.empty()));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        String[] points = ((Element) svg.getElementsByTagName("polyline").item(0))
                .getAttribute("points")
                .split(" ");
        assertThat(points).hasSize(3);
        double[] heights = Arrays.stream(points)
                .mapToDouble(point -> Double.parseDouble(point.substring(point.indexOf(',') + 1)))
                .toArray();
        assertThat(heights[0] - heights[1]).isEqualTo(heights[1] - heights[2]).isGreaterThan(40);
        assertThat(svg.getElementsByTagName("text").item(3).getTextContent()).isEqualTo("a & b < c, /s");
    }

    @Test
    void shouldDrawPublishedSeriesBesideThoseOfTheModel() throws Exception {
        Document svg = chart(finding(List.of("0", "50.5", "90"), OptionalDouble.of(7)));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(4);
    }

    @Test
    void shouldDrawNothingThatIsNoSeries() {
        assertThat(SeriesChart.of(finding(List.of("nowait", "occ", "mvcc"), OptionalDouble.empty())))
                .isEmpty();
        assertThat(SeriesChart.of(finding(List.of("1", "3"), OptionalDouble.empty())))
                .isEmpty();
    }
}
