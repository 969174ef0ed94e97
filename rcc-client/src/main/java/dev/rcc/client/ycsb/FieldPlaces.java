package dev.rcc.client.ycsb;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Patch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The places of the fields in a record that {@link FieldsCodec} has written. YCSB's records are mostly alike, so a field of the next record is
 * probably at the same place, and can be written without reading the record. The names and lengths of all fields up to it prove that it is there.
 */
final class FieldPlaces {
    /** The place of a field, and its number in the record, from 1. */
    private record Place(int index, int offset, int bytes) {}

    private final List<Patch.Part> headers = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();

    /**
     * Computes the places of a record's fields.
     *
     * @param fields the fields in their order
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
     * {@return a patch that changes fields of a record, if that record has them at the same places; empty if one of the fields is not in this
     * record or has another length, if there is nothing to write, or if a patch would have too many parts}
     *
     * @param changed the names and new values of the fields
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
