# SPDX-License-Identifier: Apache-2.0
"""docs/openapi.yaml and partner-openapi.yaml with their references resolved, and the fields they document."""

import pathlib

import yaml

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"


def load(name="openapi.yaml"):
    """The document with every $ref replaced by what it names, and `nullable` as JSON Schema says it."""
    document = yaml.safe_load((DOCS / name).read_text(encoding="utf-8"))

    def resolve(node, inside=()):
        if isinstance(node, list):
            return [resolve(each, inside) for each in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            path = node["$ref"]
            if path in inside:
                raise ValueError(f"{path} refers to itself")
            target = document
            for part in path.removeprefix("#/").split("/"):
                target = target[part]
            return resolve(target, (*inside, path))
        out = {key: resolve(value, inside) for key, value in node.items()}
        if out.pop("nullable", False) is True:
            out["type"] = [out["type"], "null"]
        return out

    return resolve(document)


def properties(schema, path=""):
    """Every documented field below a schema, as paths such as items[].price.min, with its schema."""
    found = {}
    for name, child in schema.get("properties", {}).items():
        found[f"{path}{name}"] = child
        found.update(properties(child, f"{path}{name}."))
    if "items" in schema:
        found.update(properties(schema["items"], path.removesuffix(".") + "[]."))
    return found


def open_objects(schema, path=""):
    """Paths of objects that would let a field through that is not documented."""
    found = []
    kind = schema.get("type")
    if kind == "object" and schema.get("additionalProperties") is not False:
        found.append(path.removesuffix("."))
    for name, child in schema.get("properties", {}).items():
        found += open_objects(child, f"{path}{name}.")
    if "items" in schema:
        found += open_objects(schema["items"], path.removesuffix(".") + "[].")
    return found
