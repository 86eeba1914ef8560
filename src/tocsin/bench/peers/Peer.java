import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the programs of all peers do alike: read the events into memory, warm up, measure, and print a line of JSON.
 *
 * Arguments: the file of events, the workload, how many of the events to run to warm up. Those are run, each time in
 * a new engine, until that has taken some CPU seconds: the virtual machine has then compiled what is run often.
 * CPU time is that of the whole process: a peer's threads and its collection of garbage are its own work.
 */
abstract class Peer {
    static final long SECOND = 1_000_000; // times are microseconds
    static final int RULES = 100; // of W5
    static final double WARM_SECONDS = 5;
    static final long[] WEIGHTS = {1_000_003, 10_007, 101, 11, 3};

    /** One event; `place` is its position in the whole table, by which a match is told. */
    public static class Event {
        public long time;
        public int letter;
        public int key;
        public double value;
        public long place;

        public int getKey() { return key; }
        public double getValue() { return value; }
        public long getPlace() { return place; }

        String type() { return String.valueOf((char) ('A' + letter)); }
    }

    private static volatile long begun;

    // Static and locked, as a peer may call from threads of its own, and from copies of its objects.
    private static long matches;
    private static long checksum;

    /** A match, by the places of its events; overflow is wanted, and the same in Python modulo 2 to the 64. */
    static synchronized void found(long... places) {
        matches++;
        for (int i = 0; i < places.length; i++) checksum += places[i] * WEIGHTS[i];
    }

    /** The rules of a workload in an engine that is new, ready for its first event: this is not measured. */
    abstract void prepare(String workload) throws Exception;

    /** All of the events, and time to its end. This is measured. */
    abstract void run(List<Event> events) throws Exception;

    abstract void close() throws Exception;

    void measure(String[] arguments) throws Exception {
        String workload = arguments[1];
        List<Event> events = read(Path.of(arguments[0]), lettersOf(workload));
        int warm = Integer.parseInt(arguments[2]);
        List<Event> first = new ArrayList<>();
        for (Event each : events) if (each.place < warm) first.add(each);
        for (long start = cpuTime(); warm > 0 && cpuTime() - start < WARM_SECONDS * 1e9; ) once(workload, first);
        System.gc();
        double seconds = once(workload, events);
        System.out.printf("{\"matches\": %d, \"checksum\": %d, \"cpu_seconds\": %s}%n", matches, checksum, seconds);
        System.out.flush();
        Runtime.getRuntime().halt(0); // threads that a peer leaves behind are not waited for
    }

    private double once(String workload, List<Event> events) throws Exception {
        matches = checksum = 0;
        prepare(workload);
        startClock();
        run(events);
        double seconds = (cpuTime() - begun) / 1e9;
        close();
        return seconds;
    }

    /** Called again by a peer whose engine is only ready some time after it was started. */
    static void startClock() {
        begun = cpuTime();
    }

    private static long cpuTime() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    /** How many of the letters, from A, the rules of a workload ask for; events of others are left out beforehand. */
    private static int lettersOf(String workload) {
        return switch (workload) {
            case "W1", "W2" -> 3;
            case "W3" -> 2;
            case "W4" -> 1;
            default -> 10;
        };
    }

    private static List<Event> read(Path file, int letters) throws Exception {
        List<Event> events = new ArrayList<>();
        long count = Files.size(file) / 24;
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 20))) {
            for (long place = 0; place < count; place++) {
                Event event = new Event();
                event.time = in.readLong();
                event.letter = in.readInt();
                event.key = in.readInt();
                event.value = in.readDouble();
                event.place = place;
                if (event.letter < letters) events.add(event);
            }
        }
        return events;
    }
}
