#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of docs/ that follow from one source each; with --check it only says which are not up to date.

  docs/api.md                    docs/openapi.yaml, which tests/cluster/api_test.py holds against live answers
  docs/partner-api.md            docs/partner-openapi.yaml, which tests/unit/indexer/partner/openapi_test.py holds likewise
  docs/metrics.md                tests/golden/metrics.txt, which unit_docs holds against live /metrics pages
  docs/topology.md, market.md    runtime/config (keys, bounds, defaults) and tools/docs/config_keys.toml (meaning)
  docs/feeds.md                  tools/docs/feeds.md and indexer/feed/kinds.cpp (the kinds of faults)
  docs/agent-check.md, .svg      meta/health/agent_weight.cpp (constants) and tools/docs/agent_check.py
"""

import json
import pathlib
import sys
import tomllib

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "docs"))

import agent_check  # noqa: E402  (the path comes first)
import config_source  # noqa: E402
import feed_kinds  # noqa: E402
import openapi  # noqa: E402

NOTE = "<!-- Written by tools/gen_docs.py out of {}. Changes made here are lost. -->\n"


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ").strip()


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


# --- api.md ---


def type_of(schema):
    """A schema in a few words: `one of a, b`, `integer 1..100`, `list of string, at most 32`."""
    for part in schema.get("allOf", ()):
        schema = part | schema
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        return f"{kind[0]} or null"
    if "enum" in schema and len(schema["enum"]) > 1:
        return "one of " + ", ".join(f"`{each}`" for each in schema["enum"])
    if "enum" in schema:
        return f"`{schema['enum'][0]}`".replace("\n", "\\n")
    if kind == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema and "minItems" not in schema else ""
        return f"list of {type_of(schema['items'])}{most}"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None or most is not None:
        return f"{kind} {least:,}..{most:,}" if most is not None else f"{kind} from {least:,}"
    if "maxLength" in schema:
        return f"{kind}, at most {schema['maxLength']} bytes"
    return f"{kind} `{schema['pattern']}`" if "pattern" in schema else kind


def arguments(operation):
    rows = []
    for each in operation["parameters"]:
        schema = each["schema"]
        repeats = schema["type"] == "array"
        kind = type_of(schema["items"]) + f", up to {schema['maxItems']} times" if repeats else type_of(schema)
        default = "required" if each.get("required") else schema.get("default", "")
        rows.append((f"`{each['name']}`", kind, default, each["description"], f"`{each['example']}`"))
    return table(("argument", "value", "default", "meaning", "example"), rows)


def answers(operation):
    rows = []
    for status, answer in operation["responses"].items():
        headers = "".join(f"; header `{name}: {each['schema']['enum'][0]}`" for name, each in answer.get("headers", {}).items())
        rows.append((status, answer["description"] + headers))
    return table(("status", "meaning"), rows)


def fields(schema):
    rows = []
    for name, each in openapi.properties(schema).items():
        parent = name.rpartition(".")[0]
        owner = openapi.properties(schema).get(parent.removesuffix("[]"), schema)
        required = name.rpartition(".")[2] in (owner.get("items", owner) if parent else schema).get("required", ())
        rows.append((f"`{name}`", type_of(each), "" if required else "may be absent", each.get("description", "")))
    return table(("field", "value", "", "meaning"), rows)


def api_page():
    document = openapi.load()
    parts = [NOTE.format("docs/openapi.yaml"), "# HTTP interface of a node\n", document["info"]["description"],
             "The same for programs: [openapi.yaml](openapi.yaml). Inner and admin ports: [operations.md](operations.md).\n"]
    for path, methods in document["paths"].items():
        operation = methods["get"]
        parts += [f"## GET {path}\n", operation["summary"] + ".\n"]
        if "description" in operation:
            parts.append(operation["description"] + "\n")
        parts += ["### Arguments\n", arguments(operation), "### Answers\n", answers(operation)]
        (content,) = operation["responses"]["200"]["content"].values()
        if path == "/offers":
            parts.append("The fields are those of `/search`.\n")
        elif content["schema"]["type"] == "object":
            parts += ["### Fields of 200\n", fields(content["schema"])]
    error = document["components"]["schemas"]["Error"]
    parts += ["## Errors\n", "Every other status has this body, HAProxy's own answers too.\n", fields(error)]
    return "\n".join(parts)


# --- partner-api.md ---


def partner_operation(path, method, operation):
    parts = [f"### {method.upper()} {path}\n", operation["summary"] + ".\n"]
    if "description" in operation:
        parts.append(operation["description"] + "\n")
    if "parameters" in operation:
        parts.append(arguments(operation))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body:
        example = json.dumps(body["example"], ensure_ascii=False)
        parts += ["The body:\n", fields(body["schema"]), f"```json\n{example}\n```\n"]
    done = [f"{status} ({answer['description']})" for status, answer in operation["responses"].items() if status < "300"]
    refused = [status for status in operation["responses"] if status >= "300"]
    parts.append(f"Answers: {', '.join(done + refused)}.\n")
    return parts


def partner_page():
    document = openapi.load("partner-openapi.yaml")
    schemas = document["components"]["schemas"]
    parts = [NOTE.format("docs/partner-openapi.yaml"), "# HTTP interface for shops and operators\n",
             document["info"]["description"],
             "The same for programs: [partner-openapi.yaml](partner-openapi.yaml).\n"]
    for tag in document["tags"]:
        parts.append(f"## {tag['description']}\n")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation["tags"]:
                    parts += partner_operation(path, method, operation)
    parts.append("## Statuses\n")
    refused = {status: answer["description"] for methods in document["paths"].values() for operation in methods.values()
               for status, answer in operation["responses"].items() if status >= "300"}
    parts.append(table(("status", "meaning"), sorted(refused.items())))
    parts.append("## What answers hold\n")
    for name, about in (("Shop", "A shop; operators see `number`, `key` and `runs` too"), ("Run", "A reading, whole"),
                        ("Error", "Every status from 400")):
        parts += [f"### {name}\n", about + ".\n", fields(schemas[name])]
    return "\n".join(parts)


# --- metrics.md ---


def metrics_page():
    servers = {}
    for line in text_of("tests/golden/metrics.txt").splitlines():
        if line and not line.startswith("#"):
            server, name, kind, labels, about = line.split("\t")
            shown = "; ".join(f"`{each.partition('=')[0]}`: {each.partition('=')[2].replace(',', ', ')}"
                              for each in labels.split(";") if each)
            servers.setdefault(server, []).append((f"`{name}`", kind, shown, about))
    parts = [NOTE.format("tests/golden/metrics.txt"), "# Metrics\n",
             "`GET /metrics` on the admin ports of nodes and the indexer and on a snippet server's port, in Prometheus' text format.\n"
             "Names end in their unit; `_total` only grows. A histogram has `_bucket{le=…}`, `_sum` and `_count`, with bounds from 50 µs to\n"
             "5 s. Labels have the values shown and no others. What to watch: [operations.md](operations.md).\n"]
    for server, rows in servers.items():
        parts += [f"## souk-{server}\n", table(("name", "type", "labels", "meaning"), rows)]
    return "\n".join(parts)


# --- topology.md, market.md ---


def check_keys(file, documented, read):
    """Every key of the code has a line, and every line a key."""
    problems = []
    for name in sorted(documented.keys() | read.keys()):
        here = documented.get(name, {}).keys() - {"about"}
        there = read.get(name, {}).keys()
        problems += [f"{file}, {name}: '{key}' is in the code and not in config_keys.toml" for key in there - here]
        problems += [f"{file}, {name}: '{key}' is in config_keys.toml and not in the code" for key in here - there]
        for key in here & there:
            if read[name][key].number == ("type" in documented[name][key]):
                problems.append(f"{file}, {name}: '{key}' has a type in config_keys.toml and is a number, or neither")
    if problems:
        sys.exit("\n".join(problems))


def config_page(file, head):
    documented = tomllib.loads(text_of("tools/docs/config_keys.toml"))[file]
    cpp, header = text_of(f"runtime/config/{file}.cpp"), text_of(f"runtime/config/{file}.h")
    unknown = config_source.getters(text_of("runtime/config/table_reader.h")) - config_source.GETTERS - {"line_of", "has"}
    if unknown:
        sys.exit(f"tools/docs/config_source.py does not know these getters of TableReader: {', '.join(unknown)}")
    read = config_source.keys_of(cpp, header)
    if file == "market":
        read |= config_source.keys_of(text_of("runtime/config/category_tree_reader.cpp"), header)
        for name, (weight, b) in config_source.field_names(cpp).items():
            read["[fields]"][name] = config_source.Key(default=f"weight {weight}, b {b}")
    check_keys(file, documented, read)
    parts = [NOTE.format(f"runtime/config/{file}.cpp and tools/docs/config_keys.toml"), head]
    for name, keys in documented.items():
        rows = []
        for key, line in keys.items():
            if key == "about":
                continue
            code = read[name][key]
            kind = f"number {code.least}..{code.most}" if code.number else line["type"]
            default = code.default if code.number else line.get("default", code.default)
            rows.append((f"`{key}`", kind, default, line["meaning"], f"`{line['example']}`"))
        title = name if name.startswith("[") else f"{file}.toml"
        parts += [f"## {title}\n", keys["about"] + "\n", table(("key", "value", "default", "meaning", "example"), rows)]
    return "\n".join(parts)


TOPOLOGY_HEAD = """# topology.toml: the machines

One file that every process reads (`--topology FILE --name NAME`); `soukctl topology init` writes one for this machine, `soukctl
haproxy render` makes a balancer's configuration of it. Refused, with file, line and reason: a file over 1 MiB, not UTF-8 or not
TOML, an unknown key, a value out of bounds, a name or an address that is taken, an unknown data centre or cluster, a cluster
with a shard that nobody holds. A change is taken up when a process is started anew.

A name is 1 to 40 of `a-z`, `0-9` and `-`; an address is numeric with a port, such as `127.0.0.1:8080` or `[::1]:8080`.
"""
MARKET_HEAD = """# market.toml: the shop window

What the whole market agrees on. Its bytes are part of a generation: a change takes effect with the next build. Refused, with
file, line and reason: an unknown key, a wrong type, a value out of bounds. [market.toml](../market.toml) is the file that
`./souk up` begins with; it spells out the defaults.
"""


def pages():
    weight = text_of("meta/health/agent_weight.cpp")
    return {
        "api.md": api_page(),
        "partner-api.md": partner_page(),
        "metrics.md": metrics_page(),
        "topology.md": config_page("topology", TOPOLOGY_HEAD),
        "market.md": config_page("market", MARKET_HEAD),
        "feeds.md": NOTE.format("tools/docs/feeds.md and indexer/feed/kinds.cpp")
        + "\n" + feed_kinds.page(text_of("tools/docs/feeds.md"), text_of("indexer/feed/kinds.cpp"), table),
        "agent-check.md": NOTE.format("meta/health/agent_weight.cpp") + "\n" + agent_check.page(weight),
        "agent-weight.svg": agent_check.plot(weight),
    }


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: tools/gen_docs.py [--check]")
    stale = []
    for name, text in pages().items():
        path = ROOT / "docs" / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        sys.exit(f"not up to date in docs: {', '.join(stale)}; run tools/gen_docs.py")


if __name__ == "__main__":
    main()
