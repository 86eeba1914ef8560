import com.espertech.esper.common.client.EPCompiled;
import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import com.espertech.esper.runtime.client.EPStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statements of Esper on events that set its clock, each in a runtime of its own. */
final class EsperStatements {
    private static final String[] TYPES = {"a", "b", "c", "d"};
    private static final long DAY = 86_400_000L;

    public static void main(String[] arguments) throws Exception {
        for (Cases.Case asked : Cases.read(arguments[0])) {
            try {
                run(asked);
            } catch (Throwable reason) {
                Cases.failed(asked, reason);
            }
        }
        System.exit(0);
    }

    private static Configuration configuration() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("id", String.class);
        properties.put("source", String.class);
        properties.put("time", long.class);
        properties.put("k", String.class);
        properties.put("n", Long.class);
        properties.put("v", Double.class);
        properties.put("s", String.class);
        properties.put("flag", Boolean.class);
        Configuration made = new Configuration();
        for (String type : TYPES) made.getCommon().addEventType(type, properties);
        made.getRuntime().getThreading().setInternalTimerEnabled(false);
        return made;
    }

    private static void run(Cases.Case asked) throws Exception {
        Configuration configuration = configuration();
        EPCompiled compiled =
            EPCompilerProvider.getCompiler().compile(asked.query, new CompilerArguments(configuration));
        EPRuntime runtime = EPRuntimeProvider.getRuntime(asked.name, configuration);
        runtime.initialize();
        var service = runtime.getEventService();
        service.advanceTime(0);
        for (EPStatement statement : runtime.getDeploymentService().deploy(compiled).getStatements()) {
            String[] names = statement.getEventType().getPropertyNames();
            statement.addListener((arrived, gone, source, engine) -> {
                for (EventBean match : arrived) {
                    List<String> ids = new ArrayList<>();
                    for (String name : names) if (name.endsWith("_id")) ids.add(String.valueOf(match.get(name)));
                    Cases.found(asked, ids);
                }
            });
        }
        long last = 0;
        for (Cases.Event e : asked.events) {
            service.advanceTime(last = e.time);
            Map<String, Object> event = new HashMap<>();
            event.put("id", e.id);
            event.put("source", e.source);
            event.put("time", e.time);
            event.put("k", e.k);
            event.put("n", e.n);
            event.put("v", e.v);
            event.put("s", e.s);
            event.put("flag", e.flag);
            service.sendEventMap(event, e.type);
        }
        service.advanceTime(last + DAY);
        runtime.destroy();
    }
}
