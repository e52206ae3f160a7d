// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopScoreDocCollector;

/** The best ten and, in the same pass, how many matches each category and vendor has. */
final class FacetCollector implements Collector {
  /** Counters that only cost what was counted, so that a query with few matches need not look at all of them. */
  static final class Counter {
    final int[] counts;
    final int[] touched;
    int size = 0;

    Counter(int values) {
      counts = new int[values];
      touched = new int[values];
    }

    void add(int value) {
      if (counts[value]++ == 0) touched[size++] = value;
    }

    /** Sum of (value + 1) x count; the counters are zero then. */
    long drain() {
      long sum = 0;
      for (int i = 0; i < size; ++i) {
        sum += (touched[i] + 1L) * counts[touched[i]];
        counts[touched[i]] = 0;
      }
      size = 0;
      return sum;
    }
  }

  final Counter categories;
  final Counter vendors;
  private final TopScoreDocCollector best;

  FacetCollector(TopScoreDocCollector best, Counter categories, Counter vendors) {
    this.best = best;
    this.categories = categories;
    this.vendors = vendors;
  }

  @Override
  public LeafCollector getLeafCollector(LeafReaderContext context) throws IOException {
    LeafCollector inner = best.getLeafCollector(context);
    NumericDocValues category = context.reader().getNumericDocValues("category_value");
    NumericDocValues vendor = context.reader().getNumericDocValues("vendor_value");
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorer) throws IOException {
        inner.setScorer(scorer);
      }

      @Override
      public void collect(int document) throws IOException {
        inner.collect(document);
        if (category.advanceExact(document)) categories.add((int) category.longValue());
        if (vendor.advanceExact(document)) vendors.add((int) vendor.longValue());
      }
    };
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE;
  }
}
