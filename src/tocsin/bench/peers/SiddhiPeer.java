import io.siddhi.core.SiddhiAppRuntime;
import io.siddhi.core.SiddhiManager;
import io.siddhi.core.stream.input.InputHandler;
import io.siddhi.core.stream.output.StreamCallback;
import java.util.List;

/**
 * The workloads as patterns of Siddhi, on a stream for each type. `every` before each part gives all matches; but
 * `within` then counts from the last `every`, so that the last part also looks at the time itself. Streams are
 * partitioned by key, except for the absence, where partitions with timers of their own are many times slower.
 *
 * Siddhi counts milliseconds; it is given our microseconds in their place, as only differences matter. An absence is
 * certain before an event at the very end of its span is seen: so the span is one longer than the rule says.
 */
final class SiddhiPeer extends Peer {
    private static final String[] TYPES = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};
    private SiddhiManager manager;
    private SiddhiAppRuntime runtime;

    public static void main(String[] arguments) throws Exception {
        new SiddhiPeer().measure(arguments);
    }

    private static String sequence(String last, double more) {
        return "from every a=A -> every b=B -> every c=" + last + "[value > a.value + " + more
            + " and time - a.time <= " + 60 * SECOND + "L] within " + 60 * SECOND + " milliseconds "
            + "select a.place as a, b.place as b, c.place as c insert into Triples; ";
    }

    private static String rules(String workload) {
        switch (workload) {
            case "W1":
            case "W2":
                return sequence("C", 0).replace(" + 0.0", "");
            case "W3":
                return "from every a=A -> not B[key == a.key] for " + (5 * SECOND + 1) + " milliseconds "
                    + "select a.place as a insert into Ones; ";
            case "W4":
                return "from every a=A -> every b=A -> every c=A -> every d=A -> every e=A[time - a.time <= "
                    + 10 * SECOND + "L] within " + 10 * SECOND + " milliseconds "
                    + "select a.place as a, b.place as b, c.place as c, d.place as d, e.place as e insert into Fives; ";
            case "W5":
                StringBuilder all = new StringBuilder();
                for (int i = 0; i < RULES; i++) all.append(sequence(TYPES[2 + i % 8], 5.0 * (i / 8)));
                return all.toString();
            default:
                throw new IllegalArgumentException(workload);
        }
    }

    @Override
    void prepare(String workload) {
        StringBuilder text = new StringBuilder("@app:playback define stream End (key int); ");
        StringBuilder keys = new StringBuilder();
        for (String type : TYPES) {
            text.append("define stream ").append(type).append(" (key int, value double, time long, place long); ");
            keys.append(keys.length() == 0 ? "" : ", ").append("key of ").append(type);
        }
        text.append("define stream Ones (a long); define stream Triples (a long, b long, c long); ");
        text.append("define stream Fives (a long, b long, c long, d long, e long); ");
        String rules = rules(workload);
        text.append(workload.equals("W3") ? rules : "partition with (" + keys + ") begin " + rules + "end;");
        manager = new SiddhiManager();
        runtime = manager.createSiddhiAppRuntime(text.toString());
        for (String stream : List.of("Ones", "Triples", "Fives")) {
            runtime.addCallback(stream, new StreamCallback() {
                @Override
                public void receive(io.siddhi.core.event.Event[] matches) {
                    for (var match : matches) {
                        Object[] data = match.getData();
                        long[] places = new long[data.length];
                        for (int i = 0; i < data.length; i++) places[i] = (long) data[i];
                        found(places);
                    }
                }
            });
        }
        runtime.start();
    }

    @Override
    void run(List<Event> events) throws Exception {
        InputHandler[] streams = new InputHandler[TYPES.length];
        for (int i = 0; i < TYPES.length; i++) streams[i] = runtime.getInputHandler(TYPES[i]);
        long last = 0;
        for (Event event : events) {
            last = event.time;
            streams[event.letter].send(last, new Object[] {event.key, event.value, last, event.place});
        }
        runtime.getInputHandler("End").send(last + 60 * SECOND, new Object[] {0});
    }

    @Override
    void close() {
        runtime.shutdown();
        manager.shutdown();
    }
}
