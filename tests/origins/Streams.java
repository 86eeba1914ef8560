import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Queries to run, and the events of many small streams, each of which stands for itself.
 *
 * A file of lines with tabs: "query", name, its text in base 64; "event", id, stream, type, time, k, n, v, where \N is
 * null, in order of time over all streams. What is found is printed as a line "found", name, stream, and the columns
 * of the query in order of their names, as name=value.
 */
final class Streams {
    static final class Event {
        final String id, type, k;
        final int stream;
        final long time;
        final Long n;
        final Double v;

        Event(String[] part) {
            id = part[1];
            stream = Integer.parseInt(part[2]);
            type = part[3];
            time = Long.parseLong(part[4]);
            k = part[5].equals("\\N") ? null : part[5];
            n = part[6].equals("\\N") ? null : Long.valueOf(part[6]);
            v = part[7].equals("\\N") ? null : Double.valueOf(part[7]);
        }
    }

    final Map<String, String> queries = new LinkedHashMap<>();
    final List<Event> events = new ArrayList<>();

    static Streams read(String file) throws IOException {
        Streams made = new Streams();
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] part = line.split("\t", -1);
            if (part[0].equals("event")) made.events.add(new Event(part));
            else made.queries.put(part[1], new String(Base64.getDecoder().decode(part[2]), StandardCharsets.UTF_8));
        }
        return made;
    }

    static String found(String name, Map<String, Object> columns) {
        StringBuilder line = new StringBuilder("found\t" + name + "\t" + columns.get("lane"));
        columns.keySet().stream().filter(column -> !column.equals("lane")).sorted()
            .forEach(column -> line.append('\t').append(column).append('=').append(columns.get(column)));
        return line.toString();
    }

    /** Which stream a match is of, by the id of one of its events. */
    static Object lane(Map<String, Object> columns) {
        for (Object value : columns.values()) {
            if (value instanceof String text && text.matches("[0-9]+-[0-9]+")) return text.substring(0, text.indexOf('-'));
        }
        return "?";
    }

    static void failed(String name, Throwable reason) {
        while (reason.getCause() != null) reason = reason.getCause();
        String said = String.valueOf(reason.getMessage()).replace('\n', ' ').replace('\t', ' ');
        System.out.println("failed\t" + name + "\t" + reason.getClass().getSimpleName() + ": " + said);
    }
}
