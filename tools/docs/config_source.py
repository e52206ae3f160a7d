# SPDX-License-Identifier: Apache-2.0
"""The keys that runtime/config/*.cpp reads, with the bounds and defaults that stand there."""

import dataclasses
import re

# Of TableReader.
GETTERS = {"text", "text_or", "integer", "integer_or", "number_or", "flag_or", "decimal", "texts", "table", "tables"}
METHOD = re.compile(r"^  [\w:<>,&* ]+?\b(\w+)\(([^;{}]*)\) (?:const )?\{$(.*?)^  \}$", re.M | re.S)
READER = re.compile(r'TableReader (\w+)\([^;]*?"([^"]+)"[^;]*errors_\);')
CALL = re.compile(r'\b(\w+)\.(\w+)\(("?)([\w.]+)"?((?:, [^()]*)?)\)')
HELPER = re.compile(r'(?<![.\w])(\w+)\((\w+)(?:, ("?)(\w+)"?)?[^()]*\)')


@dataclasses.dataclass
class Key:
    number: bool = False
    least: str = ""
    most: str = ""
    default: str = "required"  # of a number


def _number(text, constants):
    text = constants.get(text.strip(), text.strip()).replace("'", "")
    return str(2**32 - 1) if text == "UINT32_MAX" else text


def _shown(text):
    return f"{int(text):,}" if re.fullmatch(r"\d+", text) else text


def _key(getter, rest, constants, defaults):
    """rest: the arguments after the key, as written."""
    parts = [part for part in rest.split(",") if part.strip()]
    if not getter.startswith(("integer", "number")):
        return Key()
    key = Key(True, _shown(_number(parts[0], constants)), _shown(_number(parts[1], constants)))
    if getter.endswith("_or"):
        key.default = _shown(_number(defaults[parts[2].strip()], constants))
    return key


def _defaults(header):
    """Members of structs with their initial values, as code names them: limits.queries, market_.k1, field.b."""
    out = {}
    for struct, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", header, re.M | re.S):
        owner = {"Limits": "limits", "IndexerConfig": "indexer", "Market": "market_", "Place": "place"}.get(struct)
        for name, value in re.findall(r"^  \w+ (\w+) = ([\d.']+);", body, re.M):
            if owner:
                out[f"{owner}.{name}"] = value
    # A field's default depends on the field: the table of fields has them.
    return out | {"field.weight": "of the field", "field.b": "of the field"}


def keys_of(cpp, header):
    """{table: {key: Key}} of one reader. A table is named as its messages name it."""
    constants = dict(re.findall(r"constexpr \w+ (\w+) = ([\d']+);", cpp))
    # A shard's bound is its cluster's, which is at most this.
    constants["shards"] = constants.get("kMaxShards", "")
    defaults = _defaults(header)
    methods = {name: (parameters, body) for name, parameters, body in METHOD.findall(cpp)}

    def add_calls(body, variable, keys):
        for owner, getter, quote, name, rest in CALL.findall(body):
            if owner == variable and getter in GETTERS and quote:
                found = _key(getter, rest, constants, defaults)
                if name not in keys or found.number:
                    keys[name] = found
        for helper, first, quote, second in HELPER.findall(body):
            if first != variable or helper not in methods:
                continue
            parameters, inner = methods[helper]
            if "std::string_view key" in parameters or "const std::string& key" in parameters:
                keys[second if quote else second.upper()] = Key()  # a variable: any name
            else:
                taken = re.search(r"TableReader& (\w+)", parameters)
                if taken:
                    add_calls(inner, taken.group(1), keys)

    tables = {}
    for _, (_, body) in methods.items():
        readers = READER.findall(body)
        for variable, table in readers:
            add_calls(body, variable, tables.setdefault(table.replace("{}", "FIELD"), {}))
    return tables


def getters(header):
    """The public methods of TableReader that take a key: keys_of() must know all of them."""
    public = header.partition("class TableReader")[2].partition("private:")[0]
    return set(re.findall(r"(\w+)\(std::string_view key", public))


def field_names(cpp):
    """The fields of a market, with weight and b, as default_fields() lists them."""
    body = re.search(r"default_fields\(\) \{(.*?)\n\}", cpp, re.S).group(1)
    return {name: (weight, b) for name, weight, b in re.findall(r'\{"(\w+)", \{([\d.]+), ([\d.]+)\}\}', body)}
