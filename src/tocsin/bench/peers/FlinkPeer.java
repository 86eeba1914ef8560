import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.functions.PatternProcessFunction;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.IterativeCondition;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.util.Collector;

/**
 * The workloads as patterns of Flink CEP on a keyed stream, in one local task. `followedByAny` gives all matches.
 *
 * Flink counts milliseconds; it is given our microseconds in their place, as only differences matter. A pattern's
 * span is over when it is reached: so it is one longer than the rule says.
 */
public final class FlinkPeer extends Peer {
    private static List<Event> given; // static: the source runs in this process, and nothing is sent to it
    private String workload;

    public static void main(String[] arguments) throws Exception {
        new FlinkPeer().measure(arguments);
    }

    private static SimpleCondition<Event> is(int letter) {
        return SimpleCondition.of(event -> event.letter == letter);
    }

    /** The last part of a sequence: its value is compared with that of the first. */
    private static IterativeCondition<Event> exceeds(int letter, double more) {
        return new IterativeCondition<>() {
            @Override
            public boolean filter(Event event, Context<Event> context) throws Exception {
                if (event.letter != letter) return false;
                return event.value > context.getEventsForPattern("a").iterator().next().value + more;
            }
        };
    }

    private static Pattern<Event, ?> sequence(int last, double more) {
        return Pattern.<Event>begin("a").where(is(0))
            .followedByAny("b").where(is(1))
            .followedByAny("c").where(exceeds(last, more))
            .within(Duration.ofMillis(60 * SECOND + 1));
    }

    private static Pattern<Event, ?> absence() {
        return Pattern.<Event>begin("a").where(is(0)).notFollowedBy("b").where(is(1))
            .within(Duration.ofMillis(5 * SECOND + 1));
    }

    private static Pattern<Event, ?> repetition() {
        return Pattern.<Event>begin("a").where(is(0)).times(5).allowCombinations()
            .within(Duration.ofMillis(10 * SECOND + 1));
    }

    /** Tells each match by the places of its events, in the order of the pattern's parts. */
    private static final class Counting extends PatternProcessFunction<Event, Long> {
        @Override
        public void processMatch(Map<String, List<Event>> match, Context context, Collector<Long> out) {
            found(match.values().stream().flatMap(List::stream).mapToLong(event -> event.place).toArray());
        }
    }

    /** The events. The clock starts with the first of them: starting a job takes Flink seconds, once. */
    private static final class Given implements SourceFunction<Event> {
        @Override
        public void run(SourceContext<Event> context) {
            startClock();
            for (Event event : given) context.collect(event);
        }

        @Override
        public void cancel() {}
    }

    private static void add(KeyedStream<Event, Integer> events, Pattern<Event, ?> pattern) {
        CEP.pattern(events, pattern)
            .process(new Counting(), TypeInformation.of(Long.class))
            .sinkTo(new DiscardingSink<>());
    }

    @Override
    void prepare(String name) {
        workload = name;
    }

    @Override
    void run(List<Event> events) throws Exception {
        given = events;
        var environment = StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        environment.getConfig().enableObjectReuse();
        var strategy = WatermarkStrategy.<Event>forMonotonousTimestamps()
            .withTimestampAssigner((event, old) -> event.time);
        KeyedStream<Event, Integer> keyed = environment.addSource(new Given(), TypeInformation.of(Event.class))
            .assignTimestampsAndWatermarks(strategy).keyBy(event -> event.key);
        switch (workload) {
            case "W1", "W2" -> add(keyed, sequence(2, 0));
            case "W3" -> add(keyed, absence());
            case "W4" -> add(keyed, repetition());
            default -> {
                for (int i = 0; i < RULES; i++) add(keyed, sequence(2 + i % 8, 5.0 * (i / 8)));
            }
        }
        environment.execute();
    }

    @Override
    void close() {}
}
