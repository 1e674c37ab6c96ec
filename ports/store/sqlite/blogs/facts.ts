import { foldLabel } from '../../../../lib/labels.ts'
import { languageOf } from '../../../../lib/transliterate.ts'
import type { BlogFilter } from '../../port.ts'
import { projectsOf } from './counts.ts'
import { LABELS } from './filters.ts'

/** What filters compare of a blog. */
export interface BlogFacts {
  status: string
  projectId: string
  locale: string
  category: string | null
  updatedAt: string
  publishedAt: string | null
}

type Label = (typeof LABELS)[number]

const FIRST_CAPACITY = 1024
const WORD_BITS = 32
/** The status of a slot without a blog. */
const NONE = 0

/** Milliseconds since 1970, or null for a text that is not in the form of Date.toISOString. */
function toMs(text: string): number | null {
  const ms = text.length === 24 && text.endsWith('Z') ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** A larger array with the same values. */
function grow<Values extends Uint32Array | Float64Array>(values: Values, length: number): Values {
  const grown = new (values.constructor as new (length: number) => Values)(length)
  grown.set(values)
  return grown
}

/**
 * The facts of all blogs of an account in columns, about 90 bytes for each. Comparing a blog takes some nanoseconds.
 * Each blog has a slot, and each label that was a filter has a bit for each slot.
 */
export class FactColumns {
  readonly #codes = new Map<string, number>([['', NONE]])
  readonly #locales = new Set<string>()
  readonly #slots = new Map<number, number>()
  readonly #free: number[] = []
  readonly #labels = new Map<string, Uint32Array>()
  #capacity = FIRST_CAPACITY
  #used = 0
  #ns = new Float64Array(FIRST_CAPACITY)
  #updated = new Float64Array(FIRST_CAPACITY)
  #published = new Float64Array(FIRST_CAPACITY)
  #statuses = new Uint32Array(FIRST_CAPACITY)
  #projects = new Uint32Array(FIRST_CAPACITY)
  #localesOf = new Uint32Array(FIRST_CAPACITY)
  #categories = new Uint32Array(FIRST_CAPACITY)
  /** False if a time is in a form that cannot be compared as a number. Then the columns must not be used. */
  isComparable = true

  /** How many different texts were added. Those of changed and deleted blogs stay. */
  get texts(): number {
    return this.#codes.size
  }

  /** A number for a text of a kind. */
  #encode(kind: string, text: string): number {
    const key = `${kind} ${text}`
    const code = this.#codes.get(key) ?? this.#codes.size
    this.#codes.set(key, code)
    return code
  }

  #grow(): void {
    this.#capacity *= 2
    this.#ns = grow(this.#ns, this.#capacity)
    this.#updated = grow(this.#updated, this.#capacity)
    this.#published = grow(this.#published, this.#capacity)
    this.#statuses = grow(this.#statuses, this.#capacity)
    this.#projects = grow(this.#projects, this.#capacity)
    this.#localesOf = grow(this.#localesOf, this.#capacity)
    this.#categories = grow(this.#categories, this.#capacity)
    for (const [key, bits] of this.#labels) this.#labels.set(key, grow(bits, this.#capacity / WORD_BITS))
  }

  #slotOf(n: number): number {
    const known = this.#slots.get(n)
    if (known !== undefined) return known
    const slot = this.#free.pop() ?? this.#used++
    if (slot === this.#capacity) this.#grow()
    this.#slots.set(n, slot)
    this.#ns[slot] = n
    return slot
  }

  /** Adds a blog, or replaces its facts. */
  set(n: number, { status, projectId, locale, category, updatedAt, publishedAt }: BlogFacts): void {
    const slot = this.#slotOf(n)
    const [updated, published] = [toMs(updatedAt), publishedAt === null ? Number.NaN : toMs(publishedAt)]
    if (updated === null || published === null) this.isComparable = false
    this.#updated[slot] = updated ?? 0
    this.#published[slot] = published ?? 0
    this.#statuses[slot] = this.#encode('status', status)
    this.#projects[slot] = this.#encode('project', projectId)
    this.#localesOf[slot] = this.#encode('locale', locale)
    this.#categories[slot] = category === null ? NONE : this.#encode('category', category)
    this.#locales.add(locale)
  }

  delete(n: number): void {
    const slot = this.#slots.get(n)
    if (slot === undefined) return
    this.#slots.delete(n)
    this.#statuses[slot] = NONE
    this.#free.push(slot)
  }

  hasLabel(kind: Label, key: string): boolean {
    return this.#labels.has(`${kind} ${key}`)
  }

  /** Begins to record which blogs have the label: none, until `addLabel` and `setLabels` tell. */
  recordLabel(kind: Label, key: string): void {
    this.#labels.set(`${kind} ${key}`, new Uint32Array(this.#capacity / WORD_BITS))
  }

  addLabel(kind: Label, key: string, n: number): void {
    const slot = this.#slots.get(n)
    const bits = this.#labels.get(`${kind} ${key}`)
    if (slot !== undefined && bits !== undefined) bits[slot >>> 5]! |= 1 << (slot & 31)
  }

  /** Of the recorded labels, the blog has those of these and no others. A new blog may have a slot of a deleted one. */
  setLabels(n: number, labels: { kind: Label; key: string }[]): void {
    const slot = this.#slots.get(n)!
    for (const bits of this.#labels.values()) bits[slot >>> 5]! &= ~(1 << (slot & 31))
    for (const { kind, key } of labels) this.addLabel(kind, key, n)
  }

  /** Which codes of a kind belong to the list. Null: all. */
  #allow(kind: string, texts: string[] | null): Uint8Array | null {
    if (texts === null) return null
    const allowed = new Uint8Array(this.#codes.size)
    for (const text of texts) allowed[this.#codes.get(`${kind} ${text}`) ?? NONE] = 1
    allowed[NONE] = 0
    return allowed
  }

  /**
   * The slots of the blogs of a list without `terms`. Null if a time of the filter cannot be compared. All labels of
   * the filter must be recorded.
   */
  find(filter: BlogFilter): Uint32Array | null {
    const { status, category, locale, language, updatedSince, publishedAfter, publishedBefore } = filter
    const since = updatedSince === undefined ? -Infinity : toMs(updatedSince)
    const after = publishedAfter === undefined ? -Infinity : toMs(publishedAfter)
    const before = publishedBefore === undefined ? Infinity : toMs(publishedBefore)
    if (since === null || after === null || before === null) return null
    const hasPeriod = publishedAfter !== undefined || publishedBefore !== undefined
    const projects = projectsOf(filter)
    const ofLocale = locale === undefined ? [...this.#locales] : [locale.toLowerCase()]
    const locales =
      locale === undefined && language === undefined
        ? null
        : ofLocale.filter((text) => language === undefined || languageOf(text) === language)
    const columns = [
      { codes: this.#statuses, allowed: this.#allow('status', status === 'any' ? null : [status]) },
      {
        codes: this.#categories,
        allowed: this.#allow('category', category === undefined ? null : [foldLabel(category)])
      },
      { codes: this.#projects, allowed: this.#allow('project', projects.includes('') ? null : projects) },
      { codes: this.#localesOf, allowed: this.#allow('locale', locales) }
    ].flatMap(({ codes, allowed }) => (allowed === null ? [] : [{ codes, allowed }]))
    const labels = LABELS.filter((kind) => filter[kind] !== undefined).map(
      (kind) => this.#labels.get(`${kind} ${foldLabel(filter[kind]!)}`)!
    )

    const [statuses, updated, published] = [this.#statuses, this.#updated, this.#published]
    const found = new Uint32Array(this.#used)
    let count = 0
    for (let word = 0; word * WORD_BITS < this.#used; word++) {
      let bits = -1
      for (const label of labels) bits &= label[word]!
      for (; bits !== 0; bits &= bits - 1) {
        const slot = word * WORD_BITS + WORD_BITS - 1 - Math.clz32(bits & -bits)
        if (statuses[slot] === NONE || !(updated[slot]! >= since)) continue
        if (hasPeriod && !(published[slot]! > after && published[slot]! < before)) continue
        if (columns.every(({ codes, allowed }) => allowed[codes[slot]!] === 1)) found[count++] = slot
      }
    }
    return found.subarray(0, count)
  }

  /** The row number of the blog in a slot. */
  rowOf(slot: number): number {
    return this.#ns[slot]!
  }

  /**
   * A part of these slots in order of publication, newest first: the row numbers of all blogs with a time of the
   * part, in any order, and how many blogs of `slots` are newer than those.
   */
  around(slots: Uint32Array, { skip, limit }: { skip: number; limit: number }): { ns: number[]; newer: number } {
    const times = new Float64Array(slots.length)
    // Blogs without a time come last.
    const timeOf = (slot: number) => (Number.isNaN(this.#published[slot]!) ? -Infinity : this.#published[slot]!)
    for (const [at, slot] of slots.entries()) times[at] = timeOf(slot)
    times.sort()
    const [latest, earliest] = [times.at(-1 - skip)!, times[Math.max(0, times.length - skip - limit)]!]
    const ns: number[] = []
    let newer = 0
    for (const slot of slots) {
      const time = timeOf(slot)
      if (time > latest) newer++
      else if (time >= earliest) ns.push(this.#ns[slot]!)
    }
    return { ns, newer }
  }
}
