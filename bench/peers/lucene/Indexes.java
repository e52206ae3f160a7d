// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;

/** Builds the two indexes: titles with attributes and without positions; and, for phrases alone, titles with positions. */
final class Indexes {
  static final int BATCH = 1000;

  /** One thread's document, whose fields are set anew for each offer. */
  private static final class Writer {
    private final Document document = new Document();
    private final Field title;
    private final Field category = new StringField("category", "", Field.Store.NO);
    private final NumericDocValuesField categoryValue = new NumericDocValuesField("category_value", 0);
    private final NumericDocValuesField vendorValue = new NumericDocValuesField("vendor_value", 0);
    private final LongPoint price = new LongPoint("price", 0);
    private final NumericDocValuesField priceValue = new NumericDocValuesField("price", 0);

    Writer(boolean positions) {
      FieldType type = new FieldType();
      type.setIndexOptions(positions ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS : IndexOptions.DOCS_AND_FREQS);
      type.freeze();
      title = new Field("title", "", type);
      document.add(title);
      if (positions) return;
      for (Field field : List.of(category, categoryValue, vendorValue, price, priceValue)) document.add(field);
    }

    Document set(Corpus.Offer offer) {
      title.setStringValue(offer.title());
      category.setStringValue(Integer.toString(offer.category()));
      categoryValue.setLongValue(offer.category());
      vendorValue.setLongValue(offer.vendor());
      price.setLongValue(offer.price());
      priceValue.setLongValue(offer.price());
      return document;
    }
  }

  /** Seconds. With threads = 1 the reader of the corpus is the writer of the index, else there are as many writers. */
  static double build(Path corpus, Path folder, boolean positions, int threads) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
    config.setSimilarity(new BM25Similarity(1.2f, 0.75f));
    config.setRAMBufferSizeMB(1024);
    config.setUseCompoundFile(false);
    try (MMapDirectory directory = new MMapDirectory(folder); IndexWriter index = new IndexWriter(directory, config)) {
      if (threads == 1) {
        Writer writer = new Writer(positions);
        Corpus.readOffers(corpus, offer -> index.addDocument(writer.set(offer)));
      } else {
        addInParallel(corpus, index, positions, threads);
      }
      index.forceMerge(1);
      index.commit();
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private static void addInParallel(Path corpus, IndexWriter index, boolean positions, int threads)
      throws IOException, InterruptedException {
    BlockingQueue<List<Corpus.Offer>> batches = new ArrayBlockingQueue<>(8);
    List<Thread> writers = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < threads; ++i) {
      Thread thread = new Thread(() -> {
        try {
          Writer writer = new Writer(positions);
          for (List<Corpus.Offer> batch; !(batch = batches.take()).isEmpty(); ) {
            for (Corpus.Offer offer : batch) index.addDocument(writer.set(offer));
          }
        } catch (IOException | InterruptedException | RuntimeException failure) {
          synchronized (failures) {
            failures.add(failure);
          }
        }
      });
      thread.start();
      writers.add(thread);
    }
    List<Corpus.Offer> batch = new ArrayList<>(BATCH);
    Corpus.readOffers(corpus, offer -> {
      batch.add(offer);
      if (batch.size() == BATCH) send(batches, batch);
    });
    if (!batch.isEmpty()) send(batches, batch);
    for (int i = 0; i < threads; ++i) batches.put(List.of());
    for (Thread thread : writers) thread.join();
    if (!failures.isEmpty()) throw new IOException(failures.get(0));
  }

  private static void send(BlockingQueue<List<Corpus.Offer>> batches, List<Corpus.Offer> batch) {
    try {
      batches.put(List.copyOf(batch));
      batch.clear();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> {
        try {
          return Files.size(file);
        } catch (IOException error) {
          throw new UncheckedIOException(error);
        }
      }).sum();
    }
  }

  static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.list(folder)) {
      all = files.toList();
    }
    for (Path file : all) Files.delete(file);
    Files.delete(folder);
  }

  private Indexes() {}
}
