import com.espertech.esper.common.client.EPCompiled;
import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import com.espertech.esper.runtime.client.EPStatement;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The workloads as patterns of Esper. `every` before each part gives all matches.
 *
 * Time is set by the events, before each of them, and a span is over when it is reached: so it is one microsecond
 * longer than the rule says, and an event just at the rule's end is still within.
 */
final class EsperPeer extends Peer {
    private static final String[] TYPES = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"};
    private EPCompiled compiled; // kept, as compiling 100 rules takes a while
    private EPRuntime runtime;

    public static void main(String[] arguments) throws Exception {
        new EsperPeer().measure(arguments);
    }

    private static String sequence(String last, double more) {
        return "select a.place, b.place, c.place from pattern [every a=A -> "
            + "((every b=B(key=a.key) -> every c=" + last + "(key=a.key, value > a.value + " + more + ")) "
            + "where timer:within(60000001 microseconds))]";
    }

    private static String rules(String workload) {
        switch (workload) {
            case "W1":
            case "W2":
                return sequence("C", 0).replace(" + 0.0", "");
            case "W3":
                return "select a.place from pattern [every a=A -> "
                    + "(timer:interval(5000001 microseconds) and not B(key=a.key))]";
            case "W4":
                return "select a.place, b.place, c.place, d.place, e.place from pattern [every a=A -> "
                    + "((every b=A(key=a.key) -> every c=A(key=a.key) -> every d=A(key=a.key) -> every e=A(key=a.key)) "
                    + "where timer:within(10000001 microseconds))]";
            case "W5":
                StringBuilder all = new StringBuilder();
                for (int i = 0; i < RULES; i++) all.append(sequence(TYPES[2 + i % 8], 5.0 * (i / 8))).append(";\n");
                return all.toString();
            default:
                throw new IllegalArgumentException(workload);
        }
    }

    @Override
    void prepare(String workload) throws Exception {
        Configuration configuration = new Configuration();
        for (String type : TYPES) configuration.getCommon().addEventType(type, Event.class);
        configuration.getCommon().getTimeSource().setTimeUnit(TimeUnit.MICROSECONDS);
        configuration.getRuntime().getThreading().setInternalTimerEnabled(false);
        if (compiled == null) {
            compiled = EPCompilerProvider.getCompiler().compile(rules(workload), new CompilerArguments(configuration));
        }
        runtime = EPRuntimeProvider.getRuntime("bench", configuration);
        runtime.initialize();
        runtime.getEventService().advanceTime(0);
        for (EPStatement statement : runtime.getDeploymentService().deploy(compiled).getStatements()) {
            String[] names = statement.getEventType().getPropertyNames();
            statement.addListener((arrived, gone, source, engine) -> {
                for (EventBean match : arrived) {
                    long[] places = new long[names.length];
                    for (int i = 0; i < names.length; i++) places[i] = (long) match.get(names[i]);
                    found(places);
                }
            });
        }
    }

    @Override
    void run(List<Event> events) {
        var service = runtime.getEventService();
        long last = 0;
        for (Event event : events) {
            service.advanceTime(last = event.time);
            service.sendEventBean(event, TYPES[event.letter]);
        }
        service.advanceTime(last + 60 * SECOND);
    }

    @Override
    void close() {
        runtime.destroy();
    }
}
