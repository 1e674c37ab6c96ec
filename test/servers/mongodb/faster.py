"""Faster versions of functions of SecantusDB and of WiredTiger's Python binding that most commands call many times.

They return what the original ones return, and leave to them everything but the common case:

- An update writes only the entries of indexes whose fields have changed. The server deletes and writes all of them,
  which is a third of its time with the 30 indexes of some collections.
- What the server derives from the index definitions of a collection is derived once for each list of definitions.
- Keys and values of tables are packed without parsing their format each time.
- The paths of an update are looked up in a set. The server compares each path with each other.
"""

import sys
import threading
from datetime import datetime

import bson
import wiredtiger
from bson.int64 import Int64
from bson.objectid import ObjectId
from secantus import sortkey, storage, update
from secantus.storage import Storage

thread = threading.local()

# Keys and values of tables. S: a string and a zero byte, q: an integer of variable length, u: the remaining bytes.

binding = sys.modules[wiredtiger.Cursor.__module__]
pack, unpack = binding.pack, binding.unpack
pack_int, unpack_int = pack.__globals__["pack_int"], pack.__globals__["unpack_int"]
FORMATS = {"S", "SS", "SSS", "SSSu", "SSu", "SSq", "q", "u"}
MOST_PREFIXES = 10_000
prefixes = {}


def prefix_of(names):
    """The packed form of some strings, or None if one of them has a zero character, at which the binding cuts it."""
    found = prefixes.get(names)
    if found is None:
        if any(type(name) is not str or "\0" in name for name in names):
            return None
        if len(prefixes) >= MOST_PREFIXES:
            prefixes.clear()
        found = prefixes[names] = b"".join(name.encode() + b"\0" for name in names)
    return found


def pack_fast(fmt, *values):
    if fmt not in FORMATS or len(values) != len(fmt):
        return pack(fmt, *values)
    last = fmt[-1]
    if last == "S":
        prefix = prefix_of(values)
        return pack(fmt, *values) if prefix is None else prefix
    value = values[-1]
    prefix = prefix_of(values[:-1])
    if prefix is None or (last == "u" and type(value) is not bytes):
        return pack(fmt, *values)
    return prefix + (value if last == "u" else pack_int(value))


def unpack_fast(fmt, packed):
    if fmt not in FORMATS or type(packed) is not bytes:
        return unpack(fmt, packed)
    parts = packed.split(b"\0", fmt.count("S"))
    last = parts.pop()
    result = [part.decode() for part in parts]
    if fmt[-1] == "u":
        result.append(last)
    elif fmt[-1] == "q":
        result.append(unpack_int(last)[0])
    return result


binding.pack, binding.unpack = pack_fast, unpack_fast

# Keys of index entries.

encode_value = sortkey.encode_value
STRING, NULL = bytes([sortkey.RANK_STRING]), bytes([sortkey.RANK_NULL])


def encode_value_fast(value, *, collation=None):
    if value is None:
        return NULL
    if type(value) is str and collation is None:
        return STRING + value.encode("utf-8").replace(b"\0", b"\0\xff")
    return encode_value(value, collation=collation)


sortkey.encode_value = storage.encode_value = encode_value_fast
index_field_values = storage._index_field_values


def index_field_values_fast(doc, field):
    if type(doc) is not dict or "." in field:
        return index_field_values(doc, field)
    value = doc.get(field)
    return ([*value, value], True) if isinstance(value, list) else ([value], False)


storage._index_field_values = index_field_values_fast

# What is derived from index definitions: Storage._iter_indexes of serve.py returns the same tuples while they are valid.

DERIVED = ("_all_indexes", "_partial_filters", "_multikey_index_names", "_index_options_map")
derived = {}


def deriving(name):
    derive = getattr(Storage, name)

    def get(self, db, coll):
        found = self._index_definitions(db, coll)
        known = derived.get((name, db, coll))
        if known is None or known[0] is not found:
            known = derived[name, db, coll] = (found, derive(self, db, coll))
        return known[1].copy()

    return get


def derive_once():
    for name in DERIVED:
        setattr(Storage, name, deriving(name))


# Index entries of documents that an update replaces.

UPDATES = {"_update_chunk", "_update_matching_single_txn"}
ABSENT = object()
COMPARABLE = {str, int, bool, bytes, datetime, Int64, ObjectId}
delete_index_entries = Storage._delete_index_entries
write_index_entries = Storage._write_index_entries


def is_same(one, other):
    """Whether two values have the same index entries. In doubt, they do not."""
    if one is other:
        return True
    if type(one) is not type(other) or one is ABSENT:
        return False
    return one == other if type(one) in COMPARABLE else bson.encode({"": one}) == bson.encode({"": other})


def delete_entries(self, db, coll, doc, indexes, partials=None, *, recordid):
    # An update writes the entries of the new document next.
    if sys._getframe(1).f_code.co_name in UPDATES:
        thread.replaced = (db, coll, recordid, doc)
    else:
        delete_index_entries(self, db, coll, doc, indexes, partials, recordid=recordid)


def write_entries(self, db, coll, doc, indexes, partials=None, *, recordid):
    replaced = thread.__dict__.pop("replaced", None)
    if replaced is None or replaced[:3] != (db, coll, recordid) or sys._getframe(1).f_code.co_name not in UPDATES:
        return write_index_entries(self, db, coll, doc, indexes, partials, recordid=recordid)
    old = replaced[3]
    if partials is None:
        partials = self._partial_filters(db, coll)
    same = {}

    def is_unchanged(path):
        field = path.split(".", 1)[0]
        if field not in same:
            same[field] = not field.startswith("$") and is_same(old.get(field, ABSENT), doc.get(field, ABSENT))
        return same[field]

    changed = [
        index
        for index in indexes
        if not all(map(is_unchanged, index[1])) or not all(map(is_unchanged, partials.get(index[0], ())))
    ]
    delete_index_entries(self, db, coll, old, changed, partials, recordid=recordid)
    write_index_entries(self, db, coll, doc, changed, partials, recordid=recordid)


Storage._delete_index_entries, Storage._write_index_entries = delete_entries, write_entries

# Paths of an update.

validate_update_paths = update._validate_update_paths


def validate_paths_fast(changes):
    paths = []
    for operator, payload in changes.items():
        if operator == "$rename" or operator not in update._KNOWN_UPDATE_OPS or type(payload) is not dict:
            return validate_update_paths(changes)
        paths.extend(payload)
    taken = set(paths)
    for path in paths:
        start = path.rfind(".")
        while start >= 0:
            if path[:start] in taken:
                return validate_update_paths(changes)
            start = path.rfind(".", 0, start)
    has_empty = any(path == "" or path[0] == "." or path[-1] == "." or ".." in path for path in paths)
    return validate_update_paths(changes) if has_empty or len(taken) < len(paths) else None


update._validate_update_paths = validate_paths_fast
