// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of souk-bench-titles. */
final class Corpus {
  static final int CATEGORIES = 500;
  static final int VENDORS = 5000;

  record Offer(int category, int vendor, long price, String title) {}

  record Question(String[] words, int category, long priceFrom, long priceTo, String[] phrase) {}

  interface Each {
    void offer(Offer offer) throws IOException;
  }

  static void readOffers(Path folder, Each each) throws IOException {
    try (BufferedReader file = Files.newBufferedReader(folder.resolve("documents.tsv"), StandardCharsets.UTF_8)) {
      for (String line; (line = file.readLine()) != null; ) {
        int model = line.indexOf('\t') + 1;
        int category = line.indexOf('\t', model) + 1;
        int vendor = line.indexOf('\t', category) + 1;
        int price = line.indexOf('\t', vendor) + 1;
        int quality = line.indexOf('\t', price) + 1;
        int title = line.indexOf('\t', quality) + 1;
        each.offer(new Offer(
            Integer.parseInt(line, category, vendor - 1, 10),
            Integer.parseInt(line, vendor, price - 1, 10),
            Long.parseLong(line, price, quality - 1, 10),
            line.substring(title)));
      }
    }
  }

  static List<Question> readQuestions(Path folder) throws IOException {
    List<Question> questions = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("queries.tsv"), StandardCharsets.UTF_8)) {
      String[] fields = line.split("\t");
      questions.add(new Question(fields[0].split(" "), Integer.parseInt(fields[1]), Long.parseLong(fields[2]),
          Long.parseLong(fields[3]), fields[4].split(" ")));
    }
    return questions;
  }

  private Corpus() {}
}
