package dev.rcc.client.ycsb;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Patch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the fields of a record are that {@link FieldsCodec} has written. YCSB's records are mostly alike, so a field of the next one is probably there, too, and can be
 * written without being read. That it is there is proved by the names and lengths of all fields up to it.
 */
final class FieldPlaces {
    /** Where a field is, and which field in turn. */
    private record Place(int index, int offset, int bytes) {}

    private final List<Patch.Part> headers = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();

    /**
     * Where the fields of a record are.
     *
     * @param fields in their order
     */
    FieldPlaces(Map<String, byte[]> fields) {
        int offset = 0;
        for (Map.Entry<String, byte[]> field : fields.entrySet()) {
            byte[] header = FieldsCodec.header(field.getKey(), field.getValue().length);
            headers.add(new Patch.Part(offset, Bytes.wrap(header)));
            places.put(field.getKey(), new Place(headers.size(), offset + header.length, field.getValue().length));
            offset += header.length + field.getValue().length;
        }
    }

    /**
     * {@return what changes fields of a record where they are, if they are where they are here; empty if one of them is not here, has another
     * length, or there is nothing to write}
     *
     * @param changed names and values
     */
    Optional<Patch> patch(Map<String, byte[]> changed) {
        List<Patch.Part> written = new ArrayList<>(changed.size());
        int last = 0;
        for (Map.Entry<String, byte[]> field : changed.entrySet()) {
            Place place = places.get(field.getKey());
            byte[] value = field.getValue();
            if (place == null || value.length != place.bytes()) {
                return Optional.empty();
            }
            if (value.length > 0) {
                written.add(new Patch.Part(place.offset(), Bytes.wrap(value)));
            }
            last = Math.max(last, place.index());
        }
        boolean fits = !written.isEmpty() && last <= Patch.PARTS_MAX && written.size() <= Patch.PARTS_MAX;
        return fits ? Optional.of(new Patch(headers.subList(0, last), written)) : Optional.empty();
    }
}
