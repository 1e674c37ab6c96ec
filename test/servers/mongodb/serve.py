"""Starts SecantusDB with changes that do not change results, only how long commands take (more in faster.py):

- A cache of index definitions. The server reads and decodes all index definitions of a collection several times for
  each command. With the 30 indexes of some collections, that is half of its time. The cache is per collection. A
  thread fills it only with what it read in a snapshot that is newer than the last change.
- Strings are looked up in a set for `$in`. The server compares each document with each of the strings.
- Records of retryable writes are searched for expired ones once a second. The server does so before and after each
  write, and a long test makes tens of thousands of them.
- There is no oplog. Nothing reads it: the service uses no change streams.
"""

import gc
import sys
import threading
import time
from collections import Counter

import faster
from secantus import query, server
from secantus.cli import main
from secantus.storage import Storage
from secantus.transactions import TransactionRegistry

read_indexes = Storage._iter_indexes
definitions = {}
changed_at = {}
# Collections whose definitions are changed by commands that are not complete, with the number of these commands.
changing = Counter()
thread = threading.local()


def may_remember(key):
    return changing[key] == 0 and changed_at.get(key, 0) < getattr(thread, "released_at", 0)


def index_definitions(self, db, coll):
    key = (db, coll)
    found = None if changing[key] > 0 else definitions.get(key)
    if found is None:
        found = list(read_indexes(self, db, coll))
        if may_remember(key):
            definitions[key] = found
            # A change that was made meanwhile has deleted nothing.
            if not may_remember(key):
                definitions.pop(key, None)
    return found


def iter_indexes(self, db, coll):
    return iter(index_definitions(self, db, coll))


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
        # Committed later, by the same command.
        forget(db, coll)
        marks = thread.__dict__.setdefault("marks", [])
        if (db, coll) not in marks:
            marks.append((db, coll))
            changing[db, coll] += 1
    return marked


def finish_marks():
    for db, coll in thread.__dict__.pop("marks", []):
        forget(db, coll)
        changing[db, coll] -= 1


dispatch = server.dispatch


def dispatch_and_finish(body, ctx):
    try:
        return dispatch(body, ctx)
    finally:
        finish_marks()


release_snapshot = Storage.release_thread_snapshot


def release_thread_snapshot(self):
    release_snapshot(self)
    thread.released_at = time.monotonic()


def rename_collection(self, db, *args, **options):
    forget(db)
    try:
        return rename(self, db, *args, **options)
    finally:
        forget(db)


rename = Storage.rename_collection
server.dispatch = dispatch_and_finish
Storage.release_thread_snapshot = release_thread_snapshot
Storage._index_definitions = index_definitions
Storage._iter_indexes = iter_indexes
faster.derive_once()
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

FEW = 8
op_matches = query._op_matches
# By the identity of a list: the list itself, so that its identity is not used again, and its strings.
strings_of = {}


def strings_in(candidates):
    """The set of the strings of a list of nothing but strings, or None."""
    known = strings_of.get(id(candidates))
    if known is None:
        if len(strings_of) >= 100:
            strings_of.clear()
        strings = frozenset(candidates) if all(type(each) is str for each in candidates) else None
        known = strings_of[id(candidates)] = (candidates, strings)
    return known[1]


def op_matches_fast(values, op, arg, collation=None, **options):
    if op == "$in" and collation is None and type(arg) is list and len(arg) > FEW:
        strings = strings_in(arg)
        if strings is not None and all(type(value) is str for value in values):
            return not strings.isdisjoint(values)
    return op_matches(values, op, arg, collation, **options)


query._op_matches = op_matches_fast

PRUNE_SECONDS = 1
prune_retryable = TransactionRegistry._prune_retryable_locked
pruned_at = 0


def prune_at_times(self):
    global pruned_at
    if time.monotonic() - pruned_at > PRUNE_SECONDS:
        prune_retryable(self)
        pruned_at = time.monotonic()


TransactionRegistry._prune_retryable_locked = prune_at_times

open_storage = Storage.__init__


def open_without_oplog(self, *args, **options):
    open_storage(self, *args, **{**options, "enable_oplog": False})


Storage.__init__ = open_without_oplog

if __name__ == "__main__":
    # Commands create many objects and few cycles.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    sys.exit(main())
