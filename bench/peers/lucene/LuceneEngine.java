// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

/** Lucene as an engine under test: bench/engine/driver.h says what it is asked. One segment, one thread, no cache. */
final class LuceneEngine {
  private static final int BEST = 10;
  private static final List<String> SETS = List.of("and", "or", "phrase", "and_filter", "and_facets", "and_price");
  private static final Sort CHEAPEST = new Sort(new SortField("price", SortField.Type.LONG));

  private final List<Corpus.Question> questions;
  private final IndexSearcher titles;
  private final IndexSearcher phrases;
  private final FacetCollector.Counter categories = new FacetCollector.Counter(Corpus.CATEGORIES);
  private final FacetCollector.Counter vendors = new FacetCollector.Counter(Corpus.VENDORS);
  private long seen = 0;

  private LuceneEngine(Path corpus, Path index) throws IOException {
    questions = Corpus.readQuestions(corpus);
    titles = open(index.resolve("titles"));
    phrases = open(index.resolve("phrases"));
  }

  private static IndexSearcher open(Path folder) throws IOException {
    MMapDirectory directory = new MMapDirectory(folder);
    directory.setPreload(true);
    DirectoryReader reader = DirectoryReader.open(directory);
    if (reader.leaves().size() != 1) throw new IOException("the index has not one segment: " + folder);
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(new BM25Similarity(1.2f, 0.75f));
    searcher.setQueryCache(null); // a query is asked many times here: what is measured is the work, not a cache
    return searcher;
  }

  private static TermQuery word(String text) {
    return new TermQuery(new Term("title", text));
  }

  private static Query prepare(String set, Corpus.Question question) {
    if (set.equals("phrase")) return new PhraseQuery("title", question.phrase());
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String text : question.words()) query.add(word(text), set.equals("or") ? Occur.SHOULD : Occur.MUST);
    if (set.equals("and_filter")) {
      query.add(new TermQuery(new Term("category", Integer.toString(question.category()))), Occur.FILTER);
      query.add(new IndexOrDocValuesQuery(
          LongPoint.newRangeQuery("price", question.priceFrom(), question.priceTo()),
          NumericDocValuesField.newSlowRangeQuery("price", question.priceFrom(), question.priceTo())), Occur.FILTER);
    }
    return query.build();
  }

  /** The best ten; documents that cannot be among them need not be counted, but for facets. */
  private long search(String set, Query query) throws IOException {
    ScoreDoc[] best;
    long counted = 0;
    if (set.equals("and_facets")) {
      TopScoreDocCollector top = TopScoreDocCollector.create(BEST, Integer.MAX_VALUE);
      titles.search(query, new FacetCollector(top, categories, vendors));
      best = top.topDocs().scoreDocs;
      counted = categories.drain() + vendors.drain();
    } else if (set.equals("and_price")) {
      TopFieldCollector top = TopFieldCollector.create(CHEAPEST, BEST, BEST);
      titles.search(query, top);
      best = top.topDocs().scoreDocs;
    } else {
      TopScoreDocCollector top = TopScoreDocCollector.create(BEST, BEST);
      (set.equals("phrase") ? phrases : titles).search(query, top);
      best = top.topDocs().scoreDocs;
    }
    return counted + (best.length == 0 ? 0 : best[0].doc);
  }

  private String run(String set, int passes, Path file) throws IOException {
    List<Query> queries = new ArrayList<>();
    for (Corpus.Question question : questions) queries.add(prepare(set, question));
    long[] times = new long[questions.size()];
    Arrays.fill(times, Long.MAX_VALUE);
    for (int pass = 0; pass < passes; ++pass) {
      for (int i = 0; i < times.length; ++i) {
        Query query = queries.get(i);
        long begin = System.nanoTime();
        seen += search(set, query);
        times[i] = Math.min(times[i], System.nanoTime() - begin);
      }
    }
    Files.write(file, (Iterable<String>) Arrays.stream(times).mapToObj(Long::toString)::iterator);
    return "\"seen\":" + seen;
  }

  private String count(String set, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Corpus.Question question : questions) {
      Query query = prepare(set, question);
      if (set.equals("and_facets")) {
        TopScoreDocCollector top = TopScoreDocCollector.create(BEST, Integer.MAX_VALUE);
        titles.search(query, new FacetCollector(top, categories, vendors));
        lines.add(top.topDocs().totalHits.value + " " + categories.drain() + " " + vendors.drain());
      } else {
        TotalHitCountCollector counter = new TotalHitCountCollector();
        (set.equals("phrase") ? phrases : titles).search(query, counter);
        lines.add(counter.getTotalHits() + " 0 0");
      }
    }
    Files.write(file, lines);
    return "\"queries\":" + lines.size();
  }

  private String answer(String line) throws IOException {
    String[] words = line.split(" ");
    if (words.length < 2 || !SETS.contains(words[1])) throw new IOException("no such set: " + line);
    if (words[0].equals("run") && words.length == 4) return run(words[1], Integer.parseInt(words[2]), Path.of(words[3]));
    if (words[0].equals("count") && words.length == 3) return count(words[1], Path.of(words[2]));
    throw new IOException("not a command: " + line);
  }

  private static void reply(String members) {
    System.out.println("{" + members + "}");
    System.out.flush();
  }

  private static void serve(Path corpus, Path index) throws IOException {
    LuceneEngine engine = new LuceneEngine(corpus, index);
    reply("\"engine\":\"Lucene " + Version.LATEST + "\",\"sets\":[\"" + String.join("\",\"", SETS) + "\"]");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = input.readLine()) != null; ) reply(engine.answer(line));
  }

  private static void build(Path corpus, Path index) throws IOException, InterruptedException {
    // Which is faster depends on how much there is to merge in the end; the second also finds the code compiled.
    double byOne = Indexes.build(corpus, index.resolve("titles"), false, 1);
    double byTwo = Indexes.build(corpus, index.resolve("titles-by-two"), false, 2);
    Indexes.remove(index.resolve("titles-by-two"));
    double phraseSeconds = Indexes.build(corpus, index.resolve("phrases"), true, 1);
    reply("\"seconds\":" + Math.min(byOne, byTwo) + ",\"threads\":" + (byOne < byTwo ? 1 : 2)
        + ",\"seconds_by_one\":" + byOne + ",\"seconds_by_two\":" + byTwo
        + ",\"index_bytes\":" + Indexes.bytes(index.resolve("titles"))
        + ",\"phrase_seconds\":" + phraseSeconds + ",\"phrase_index_bytes\":" + Indexes.bytes(index.resolve("phrases")));
  }

  public static void main(String[] arguments) {
    if (arguments.length != 3 || !List.of("build", "serve").contains(arguments[0])) {
      System.err.println("usage: LuceneEngine build|serve CORPUS INDEX (started by ./souk bench engine)");
      System.exit(2);
    }
    try {
      Path corpus = Path.of(arguments[1]);
      Path index = Path.of(arguments[2]);
      if (arguments[0].equals("build")) build(corpus, index);
      else serve(corpus, index);
    } catch (IOException | InterruptedException | RuntimeException error) {
      reply("\"error\":\"" + String.valueOf(error).replace('"', '\'').replace('\\', '/').replace('\n', ' ') + "\"");
      System.exit(1);
    }
  }

}
