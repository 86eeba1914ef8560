import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Cases to run: a query in the engine's own language, and the events it is given.
 *
 * A file of lines with tabs: "case", name, query in base 64; then "event", id, type, source, time, k, n, v, s, flag,
 * where \N is null. What is found is printed as a line "found", name, the ids in order of the query's columns.
 */
final class Cases {
    static final class Event {
        final String id, type, source, k, s;
        final long time;
        final Long n;
        final Double v;
        final Boolean flag;

        Event(String[] part) {
            id = part[1];
            type = part[2];
            source = part[3];
            time = Long.parseLong(part[4]);
            k = text(part[5]);
            n = text(part[6]) == null ? null : Long.valueOf(part[6]);
            v = text(part[7]) == null ? null : Double.valueOf(part[7]);
            s = text(part[8]);
            flag = text(part[9]) == null ? null : Boolean.valueOf(part[9]);
        }
    }

    static final class Case {
        final String name, query;
        final List<Event> events = new ArrayList<>();

        Case(String[] part) {
            name = part[1];
            query = new String(Base64.getDecoder().decode(part[2]), StandardCharsets.UTF_8);
        }
    }

    static String text(String part) {
        return part.equals("\\N") ? null : part;
    }

    static List<Case> read(String file) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            String[] part = line.split("\t", -1);
            if (part[0].equals("case")) cases.add(new Case(part));
            else cases.get(cases.size() - 1).events.add(new Event(part));
        }
        return cases;
    }

    static void found(Case asked, List<String> ids) {
        System.out.println("found\t" + asked.name + "\t" + String.join("\t", ids));
    }

    static void failed(Case asked, Throwable reason) {
        while (reason.getCause() != null) reason = reason.getCause();
        String said = String.valueOf(reason.getMessage()).replace('\n', ' ').replace('\t', ' ');
        System.out.println("failed\t" + asked.name + "\t" + reason.getClass().getSimpleName() + ": " + said);
    }
}
