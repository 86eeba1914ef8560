import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import com.espertech.esper.runtime.client.EPStatement;
import java.util.HashMap;
import java.util.Map;

/** Statements of Esper on events that set its clock, in a context that keeps the streams apart. */
final class EsperStreams {
    private static final String[] TYPES = {"a", "b", "c"};
    private static final long DAY = 86_400_000L;
    private static final String CONTEXT = "create context Lanes partition by lane from a, lane from b, lane from c;\n";

    public static void main(String[] arguments) throws Exception {
        Streams given = Streams.read(arguments[0]);
        for (Map.Entry<String, String> query : given.queries.entrySet()) {
            try {
                run(query.getKey(), query.getValue(), given);
            } catch (Throwable reason) {
                Streams.failed(query.getKey(), reason);
            }
        }
        System.exit(0);
    }

    private static Configuration configuration() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("id", String.class);
        properties.put("lane", int.class);
        properties.put("k", String.class);
        properties.put("n", Long.class);
        properties.put("v", Double.class);
        Configuration made = new Configuration();
        for (String type : TYPES) made.getCommon().addEventType(type, properties);
        made.getRuntime().getThreading().setInternalTimerEnabled(false);
        return made;
    }

    private static void run(String name, String query, Streams given) throws Exception {
        Configuration configuration = configuration();
        EPRuntime runtime = EPRuntimeProvider.getRuntime(name, configuration);
        runtime.initialize();
        var service = runtime.getEventService();
        service.advanceTime(0);
        var compiled = EPCompilerProvider.getCompiler().compile(CONTEXT + query, new CompilerArguments(configuration));
        StringBuilder all = new StringBuilder();
        for (EPStatement statement : runtime.getDeploymentService().deploy(compiled).getStatements()) {
            String[] columns = statement.getEventType().getPropertyNames();
            statement.addListener((arrived, gone, source, engine) -> {
                if (arrived == null) return;
                for (EventBean match : arrived) {
                    Map<String, Object> found = new HashMap<>();
                    for (String column : columns) found.put(column, match.get(column));
                    found.put("lane", Streams.lane(found));
                    all.append(Streams.found(name, found)).append('\n');
                }
            });
        }
        long last = 0;
        for (Streams.Event e : given.events) {
            service.advanceTime(last = e.time);
            Map<String, Object> event = new HashMap<>();
            event.put("id", e.id);
            event.put("lane", e.stream);
            event.put("k", e.k);
            event.put("n", e.n);
            event.put("v", e.v);
            service.sendEventMap(event, e.type);
        }
        service.advanceTime(last + DAY);
        runtime.destroy();
        System.out.print(all);
    }
}
