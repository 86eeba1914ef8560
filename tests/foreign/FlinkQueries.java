import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Queries of Flink SQL on bounded streams in event time: all of them in one job, each on a table of its own. */
public final class FlinkQueries {
    private static final String[] COLUMNS = {"id", "type", "source", "ts", "k", "n", "v", "s", "flag"};

    public static void main(String[] arguments) throws Exception {
        var environment = StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
        var tables = StreamTableEnvironment.create(environment);
        DataStream<String> all = null;
        for (Cases.Case asked : Cases.read(arguments[0])) {
            try {
                for (DataStream<String> found : ask(asked, environment, tables)) {
                    all = all == null ? found : all.union(found);
                }
            } catch (Exception reason) {
                Cases.failed(asked, reason);
            }
        }
        if (all != null) {
            try (CloseableIterator<String> found = all.executeAndCollect()) {
                while (found.hasNext()) System.out.println(found.next());
            }
        }
        System.exit(0);
    }

    /** What each query of a case finds. Its table is called like the case. */
    private static List<DataStream<String>> ask(
        Cases.Case asked, StreamExecutionEnvironment environment, StreamTableEnvironment tables) {
        List<Row> rows = new ArrayList<>();
        for (Cases.Event e : asked.events) {
            var time = LocalDateTime.ofInstant(Instant.ofEpochMilli(e.time), ZoneOffset.UTC);
            rows.add(Row.of(e.id, e.type, e.source, time, e.k, e.n, e.v, e.s, e.flag));
        }
        var types = Types.ROW_NAMED(COLUMNS, Types.STRING, Types.STRING, Types.STRING, Types.LOCAL_DATE_TIME,
            Types.STRING, Types.LONG, Types.DOUBLE, Types.STRING, Types.BOOLEAN);
        var schema = Schema.newBuilder()
            .column("id", "STRING").column("type", "STRING").column("source", "STRING")
            .column("ts", "TIMESTAMP(3)").column("k", "STRING").column("n", "BIGINT").column("v", "DOUBLE")
            .column("s", "STRING").column("flag", "BOOLEAN")
            .watermark("ts", "ts - INTERVAL '0.001' SECOND").build();
        tables.createTemporaryView("`" + asked.name + "`", environment.fromCollection(rows, types), schema);
        List<DataStream<String>> found = new ArrayList<>();
        for (String query : asked.query.split(";\n")) {
            if (query.isBlank()) continue;
            var table = tables.sqlQuery(query);
            List<Integer> ids = new ArrayList<>();
            List<String> names = table.getResolvedSchema().getColumnNames();
            for (int i = 0; i < names.size(); i++) if (names.get(i).endsWith("_id")) ids.add(i);
            String name = asked.name;
            found.add(tables.toDataStream(table).map(row -> {
                StringBuilder line = new StringBuilder("found\t" + name);
                for (int i : ids) line.append('\t').append(row.getField(i));
                return line.toString();
            }, Types.STRING));
        }
        return found;
    }
}
