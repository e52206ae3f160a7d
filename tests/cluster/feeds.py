# SPDX-License-Identifier: Apache-2.0
"""What a market's feeds hold, read without any code of souk's: libxml2 through lxml."""

import collections
import dataclasses
import decimal
import gzip
import pathlib
import tomllib
import unicodedata

from lxml import etree


# Of the market that ./souk up begins with: units of the base currency.
MARKET = tomllib.loads((pathlib.Path(__file__).resolve().parent.parent.parent / "market.toml").read_text(encoding="utf-8"),
                       parse_float=decimal.Decimal)
RATES = {MARKET["base_currency"]: 1} | MARKET["currencies"]


def base_price(text, currency):
    """In the base currency, rounded half up to hundredths."""
    price = decimal.Decimal(text or 0) * RATES.get(currency, 0)
    return float(price.quantize(decimal.Decimal("0.01"), decimal.ROUND_HALF_UP))


def fold(text):
    """Equality of names: NFKC, case folded, yo = ye, white space collapsed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.replace("ё", "е").split())


@dataclasses.dataclass
class Offer:
    shop: str  # the shop's name as its feed gives it
    id: str
    line: int
    title: str
    vendor: str
    path: tuple  # names of categories from the root
    price: float  # in the base currency
    params: list  # (name, value)


def _category_paths(shop):
    names, parents = {}, {}
    for element in shop.iterfind("categories/category"):
        key = element.get("id").strip()
        if key not in names:
            names[key] = " ".join((element.text or "").split())
            parents[key] = element.get("parentId", "").strip()
    paths = {}
    for key in names:
        path, at, seen = [], key, set()
        while at in names and at not in seen:
            seen.add(at)
            path.insert(0, names[at])
            at = parents[at]
        paths[key] = tuple(path)
    return paths


def _text(element, name):
    return " ".join((element.findtext(name) or "").split())


def read_feed(path):
    """All offers of one feed file, in its order."""
    opener = gzip.open if str(path).endswith(".gz") else open
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=True)
    with opener(path, "rb") as file:
        shop = etree.parse(file, parser).getroot().find("shop")
    paths = _category_paths(shop)
    shop_name = _text(shop, "name")
    offers = []
    for element in shop.iterfind("offers/offer"):
        title = _text(element, "name")
        if element.get("type") == "vendor.model":
            title = " ".join(filter(None, (_text(element, each) for each in ("typePrefix", "vendor", "model"))))
        params = [(each.get("name"), " ".join((each.text or "").split())) for each in element.iterfind("param")]
        offers.append(
            Offer(
                shop=shop_name,
                id=element.get("id", "").strip(),
                line=element.sourceline,
                title=title,
                vendor=_text(element, "vendor"),
                path=paths.get(_text(element, "categoryId"), ()),
                price=base_price(_text(element, "price"), _text(element, "currencyId") or MARKET["base_currency"]),
                params=params,
            )
        )
    return offers


def without_rejected(offers, report):
    """The offers less those that the feed's report names, by id and line: of repeated ids the first stays."""
    left = list(offers)
    for error in report["errors"]:
        candidates = [o for o in left if o.line <= error["line"] and (not error["id"] or o.id == error["id"])]
        if not candidates:
            raise AssertionError(f"the report rejects an offer that is not in the feed: {error}")
        left.remove(candidates[-1])
    return left


def count_by_vendor(offers):
    return collections.Counter(fold(offer.vendor) for offer in offers if offer.vendor)


def count_by_category(offers):
    """Folded path -> offers in its subtree."""
    counts = collections.Counter()
    for offer in offers:
        for depth in range(1, len(offer.path) + 1):
            counts[tuple(fold(name) for name in offer.path[:depth])] += 1
    return counts
