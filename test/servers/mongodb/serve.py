"""Starts SecantusDB with a cache of index definitions.

The server reads and decodes all index definitions of a collection several times for each command. With the 30
indexes of some collections, that is half of its time. The cache is per collection and is bypassed for a while after a
change, because another thread may read a snapshot from before it.
"""

import sys
import time

from secantus.cli import main
from secantus.storage import Storage

SETTLE_SECONDS = 2

read_indexes = Storage._iter_indexes
definitions = {}
changed_at = {}


def iter_indexes(self, db, coll):
    key = (db, coll)
    found = definitions.get(key)
    if found is None:
        found = list(read_indexes(self, db, coll))
        if found and time.monotonic() - changed_at.get(key, 0) > SETTLE_SECONDS:
            definitions[key] = found
            # A change that was made meanwhile has deleted nothing.
            if time.monotonic() - changed_at.get(key, 0) <= SETTLE_SECONDS:
                definitions.pop(key, None)
    return iter(found)


def forget(db, coll=None):
    now = time.monotonic()
    if coll is not None:
        changed_at[db, coll] = now
    for key in [key for key in list(definitions) if key[0] == db and coll in (None, key[1])]:
        changed_at[key] = now
        definitions.pop(key, None)


def forgetting(method):
    def change(self, db, coll=None, *args, **options):
        given = () if coll is None else (coll,)
        forget(db, coll)
        try:
            return method(self, db, *given, *args, **options)
        finally:
            forget(db, coll)

    return change


mark_multikey = Storage._maybe_mark_multikey


def maybe_mark_multikey(self, db, coll, doc, indexes, already_multikey):
    before = len(already_multikey)
    marked = mark_multikey(self, db, coll, doc, indexes, already_multikey)
    if len(marked) > before:
        forget(db, coll)
    return marked


def rename_collection(self, db, *args, **options):
    forget(db)
    try:
        return rename(self, db, *args, **options)
    finally:
        forget(db)


rename = Storage.rename_collection
Storage._iter_indexes = iter_indexes
Storage._maybe_mark_multikey = maybe_mark_multikey
Storage.rename_collection = rename_collection
for name in (
    "create_index",
    "drop_index",
    "drop_all_indexes",
    "drop_collection",
    "drop_database",
    "set_index_expiry",
    "set_index_options",
):
    setattr(Storage, name, forgetting(getattr(Storage, name)))

if __name__ == "__main__":
    sys.exit(main())
