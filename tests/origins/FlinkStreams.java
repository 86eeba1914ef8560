import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Queries of Flink SQL, all in one job, over one table whose rows are partitioned by the number of their stream. */
public final class FlinkStreams {
    private static final String[] COLUMNS = {"id", "lane", "ts", "k", "n", "v"};

    public static void main(String[] arguments) throws Exception {
        Streams given = Streams.read(arguments[0]);
        var environment = StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        var tables = StreamTableEnvironment.create(environment);
        List<Row> rows = new ArrayList<>();
        for (Streams.Event e : given.events) {
            var time = LocalDateTime.ofInstant(Instant.ofEpochMilli(e.time), ZoneOffset.UTC);
            rows.add(Row.of(e.id, e.stream, time, e.k, e.n, e.v));
        }
        var types = Types.ROW_NAMED(COLUMNS, Types.STRING, Types.INT, Types.LOCAL_DATE_TIME, Types.STRING, Types.LONG,
            Types.DOUBLE);
        var schema = Schema.newBuilder()
            .column("id", "STRING").column("lane", "INT").column("ts", "TIMESTAMP(3)").column("k", "STRING")
            .column("n", "BIGINT").column("v", "DOUBLE").watermark("ts", "ts - INTERVAL '0.001' SECOND").build();
        tables.createTemporaryView("ticks", environment.fromCollection(rows, types), schema);
        DataStream<String> all = null;
        for (Map.Entry<String, String> query : given.queries.entrySet()) {
            try {
                DataStream<String> found = ask(query.getKey(), query.getValue(), tables);
                all = all == null ? found : all.union(found);
            } catch (Exception reason) {
                Streams.failed(query.getKey(), reason);
            }
        }
        if (all != null) {
            try (CloseableIterator<String> found = all.executeAndCollect()) {
                while (found.hasNext()) System.out.println(found.next());
            }
        }
        System.exit(0);
    }

    private static DataStream<String> ask(String name, String query, StreamTableEnvironment tables) {
        var table = tables.sqlQuery(query);
        List<String> names = table.getResolvedSchema().getColumnNames();
        return tables.toDataStream(table).map(row -> {
            Map<String, Object> columns = new HashMap<>();
            for (int i = 0; i < names.size(); i++) columns.put(names.get(i), row.getField(i));
            return Streams.found(name, columns);
        }, Types.STRING);
    }
}
