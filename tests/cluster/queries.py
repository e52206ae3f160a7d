# SPDX-License-Identifier: Apache-2.0
"""Generated /search queries over what a market sells: the same for the same seed and offers."""

import random
import re


class QueryMaker:
    def __init__(self, offers, seed):
        self.random = random.Random(seed)
        self.offers = offers
        self.prices = sorted(offer.price for offer in offers)

    def _some_offer(self):
        return self.random.choice(self.offers)

    def _text(self, offer):
        if self.random.random() < 0.2:
            offer = self._some_offer()
        words = re.findall(r"\w+", offer.title)
        count = self.random.choice((0, 1, 1, 2, 3))
        if words and self.random.random() < 0.2:
            at = self.random.randrange(len(words))
            return f'"{" ".join(words[at : at + 1 + count])}" {self.random.choice(words)}'
        chosen = self.random.sample(words, min(count, len(words)))
        return " ".join(word[:3] + "*" if self.random.random() < 0.2 else word for word in chosen)

    def _filters(self, offer):
        pairs = []
        if self.random.random() < 0.25 and offer.vendor:
            pairs += [("vendor", each) for each in dict.fromkeys((offer.vendor, self._some_offer().vendor)) if each]
        if self.random.random() < 0.35 and offer.path:
            pairs.append(("category", " > ".join(offer.path[: self.random.randint(1, len(offer.path))])))
        if self.random.random() < 0.15:
            pairs.append(("shop", offer.shop))
        if self.random.random() < 0.3:
            low, high = sorted((self.random.choice(self.prices), offer.price))
            pairs += [("price_from", f"{low:.2f}"), ("price_to", f"{high:.2f}")]
        if self.random.random() < 0.3:
            pairs.append(("in_stock", "1"))
        if self.random.random() < 0.25 and offer.params:
            name, value = self.random.choice(offer.params)
            pairs.append((f"param.{name}", value))
        return pairs

    def _facets(self):
        names = ["category", "vendor", "shop", "price"] + [f"param.{name}" for name, _ in self._some_offer().params[:2]]
        return [("facets", name) for name in self.random.sample(names, self.random.randint(0, 4 if len(names) > 3 else 2))]

    def make(self):
        """One query as (name, value) pairs."""
        offer = self._some_offer()
        pairs = self._filters(offer) + self._facets()
        text = self._text(offer)
        if text:
            pairs.append(("text", text))
            pairs.append(("match", self.random.choice(("all", "all", "any", "2"))))
        pairs.append(("sort", self.random.choice(("relevance", "relevance", "price", "price_desc", "discount", "newest"))))
        pairs.append(("group", self.random.choice(("model", "model", "offer"))))
        pairs.append(("page", str(self.random.choice((1, 1, 1, 2, 3, 7)))))
        pairs.append(("per_page", str(self.random.choice((1, 5, 10, 24, 50)))))
        return pairs
