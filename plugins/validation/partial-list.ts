/** A record that is missing from a list, because it does not match the response schema. */
export interface OmittedRecord {
  /** The id of the record, or its position in the list. */
  record: string | number
  reason: string
}

/**
 * Thrown when some records of a list cannot be serialized. The response is `body`: the list without
 * these records. An error is the only way from a serializer to the reply.
 */
export class PartialListError extends Error {
  override readonly name = 'PartialListError'
  readonly body: string
  readonly omitted: OmittedRecord[]

  constructor(body: string, omitted: OmittedRecord[], cause: unknown) {
    super(`${omitted.length} records of a list cannot be serialized.`, { cause })
    this.body = body
    this.omitted = omitted
  }
}

type Serializer = (value: unknown) => string
type List = unknown[] | Record<string, unknown>

/**
 * Whether a response schema describes a list: an array, a named schema such as `BlogList`, or an
 * unnamed object with an array.
 */
export function isListSchema(schema: unknown): boolean {
  const { type, $ref, properties = {} } = schema as { type?: string; $ref?: string; properties?: object }
  if ($ref !== undefined) return /List#?$/.test($ref)
  return (
    type === 'array' || Object.values(properties).some((property) => (property as { type?: string }).type === 'array')
  )
}

/**
 * Serializes a list. One record that does not match the schema must not make the other records
 * unreadable: throws a PartialListError with the serializable ones. Throws the serializer's error
 * when it is not caused by a record.
 */
export function serializeList(serialize: Serializer, list: List): string {
  try {
    return serialize(list)
  } catch (error) {
    const omitted: OmittedRecord[] = []
    const body = serialize(withoutInvalidRecords(serialize, list, omitted))
    if (omitted.length === 0) throw error
    throw new PartialListError(body, omitted, error)
  }
}

function withoutInvalidRecords(serialize: Serializer, list: List, omitted: OmittedRecord[]): List {
  const valid = (records: unknown[], wrap: (record: unknown) => List) =>
    records.filter((record, index) => {
      try {
        serialize(wrap(record))
        return true
      } catch (error) {
        const { id } = (record ?? {}) as { id?: unknown }
        omitted.push({ record: typeof id === 'string' ? id : index, reason: String(error) })
        return false
      }
    })
  if (Array.isArray(list)) return valid(list, (record) => [record])
  const arrays = Object.entries(list).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const empty = { ...list, ...Object.fromEntries(arrays.map(([name]) => [name, []])) }
  const filtered = arrays.map(([name, records]) => [name, valid(records, (record) => ({ ...empty, [name]: [record] }))])
  return { ...list, ...Object.fromEntries(filtered) }
}
