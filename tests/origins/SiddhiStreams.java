import io.siddhi.core.SiddhiAppRuntime;
import io.siddhi.core.SiddhiManager;
import io.siddhi.core.stream.input.InputHandler;
import io.siddhi.core.stream.output.StreamCallback;
import io.siddhi.query.api.definition.Attribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Queries of Siddhi on events that set its clock: a new application for each stream, as its runs would not end. */
final class SiddhiStreams {
    private static final String[] TYPES = {"a", "b", "c"};
    private static final long DAY = 86_400_000L;

    public static void main(String[] arguments) throws Exception {
        Streams given = Streams.read(arguments[0]);
        Map<Integer, List<Streams.Event>> streams = new LinkedHashMap<>();
        for (Streams.Event event : given.events) streams.computeIfAbsent(event.stream, n -> new ArrayList<>()).add(event);
        SiddhiManager manager = new SiddhiManager();
        StringBuilder text = new StringBuilder("@app:playback define stream End (id string); ");
        for (String type : TYPES) text.append("define stream ").append(type).append(" (id string, k string, n long, v double); ");
        for (Map.Entry<String, String> query : given.queries.entrySet()) {
            try {
                StringBuilder all = new StringBuilder();
                for (List<Streams.Event> events : streams.values()) {
                    run(query.getKey(), text + query.getValue(), events, manager, all);
                }
                System.out.print(all);
            } catch (Throwable reason) {
                Streams.failed(query.getKey(), reason);
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0); // threads that it leaves behind are not waited for
    }

    private static void run(
        String name, String text, List<Streams.Event> events, SiddhiManager manager, StringBuilder all) throws Exception {
        SiddhiAppRuntime runtime = manager.createSiddhiAppRuntime(text);
        List<Attribute> columns = runtime.getStreamDefinitionMap().get("Out").getAttributeList();
        runtime.addCallback("Out", new StreamCallback() {
            @Override
            public void receive(io.siddhi.core.event.Event[] matches) {
                for (var match : matches) {
                    Map<String, Object> found = new HashMap<>();
                    for (int i = 0; i < columns.size(); i++) found.put(columns.get(i).getName(), match.getData()[i]);
                    found.put("lane", events.get(0).stream);
                    synchronized (all) {
                        all.append(Streams.found(name, found)).append('\n');
                    }
                }
            }
        });
        runtime.start();
        Map<String, InputHandler> inputs = new HashMap<>();
        for (String type : TYPES) inputs.put(type, runtime.getInputHandler(type));
        long last = 0;
        for (Streams.Event e : events) {
            last = e.time;
            inputs.get(e.type).send(last, new Object[] {e.id, e.k, e.n, e.v});
        }
        runtime.getInputHandler("End").send(last + DAY, new Object[] {"end"});
        runtime.shutdown();
    }
}
