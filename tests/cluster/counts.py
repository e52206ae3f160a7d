# SPDX-License-Identifier: Apache-2.0
"""The comparison of a market's totals with the independent count over its feeds."""

import feeds


def read_accepted(world, files):
    """files: shop name as registered -> feed file. All offers that the market must have."""
    offers = []
    for shop, file in sorted(files.items()):
        report = world.report(shop)
        in_feed = feeds.read_feed(file)
        accepted = feeds.without_rejected(in_feed, report)
        said = report["offers"]["accepted"]
        if said != len(accepted):
            raise AssertionError(f"{shop}: the report says {said} accepted, the feed has {len(accepted)}")
        offers += accepted
    return offers


def check_totals(test, world, offers):
    """total.offers of every vendor, every category with its subtree, and of everything."""
    test.assertEqual(world.search(per_page=1)["total"]["offers"], len(offers))
    spelling = {feeds.fold(offer.vendor): offer.vendor for offer in offers}
    for vendor, count in feeds.count_by_vendor(offers).items():
        with test.subTest(vendor=spelling[vendor]):
            test.assertEqual(world.search(vendor=spelling[vendor], per_page=1)["total"]["offers"], count)
    paths = {tuple(map(feeds.fold, o.path[:depth])): o.path[:depth] for o in offers for depth in range(1, len(o.path) + 1)}
    for path, count in feeds.count_by_category(offers).items():
        with test.subTest(category=paths[path]):
            test.assertEqual(world.search(category=" > ".join(paths[path]), per_page=1)["total"]["offers"], count)


def check_facets(test, world, offers):
    """The vendor and shop facets of an empty query agree with the same counts."""
    by_vendor = feeds.count_by_vendor(offers)
    facets = {facet["name"]: facet for facet in world.search(facets=["vendor", "price"], per_page=1)["facets"]}
    test.assertGreater(len(facets["vendor"]["values"]), 0)
    for value in facets["vendor"]["values"]:
        test.assertEqual(value["offers"], by_vendor[feeds.fold(value["value"])], value)
    test.assertAlmostEqual(facets["price"]["min"], min(offer.price for offer in offers), places=2)
    test.assertAlmostEqual(facets["price"]["max"], max(offer.price for offer in offers), places=2)
