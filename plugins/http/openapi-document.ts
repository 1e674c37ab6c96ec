import { ERRORS, type ErrorCode } from '../../errors.ts'
import { inlineExamples, nounExamples } from '../../schemas/examples.ts'
import { problemExample } from './problem-examples.ts'
import { GUIDE, TAGS } from './openapi/guide.ts'
import type { Nouns } from './openapi/good-answers.ts'
import { completeOperation } from './openapi/operation.ts'
import { sharedParts } from './openapi/parts.ts'
import { plainSchema } from './openapi/plain-schema.ts'
import { prune } from './openapi/prune.ts'
import { shareAnswers } from './openapi/share-answers.ts'
import { webhooksOf } from './openapi/webhooks.ts'
import { tidyPaths } from './openapi/tidy-paths.ts'
import type { DraftOperation, InterfaceDocument, Method, Operation, PathItem, Schema } from './openapi/types.ts'

/**
 * Lists whose items are checked one by one, so that their route takes anything: what an item should
 * be.
 */
const ITEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BlogImport: { blogs: 'ImportedBlog' },
  ProductBatch: { products: 'ProductRow' }
}

/** What can be said from the route schemas alone. */
export interface DraftDocument {
  openapi: string
  info: InterfaceDocument['info']
  paths: Record<string, PathItem<DraftOperation>>
  components?: { schemas?: Record<string, Schema> }
}

/**
 * The interface's document: the draft with everything that follows from who may call a route and
 * what it may refuse.
 * It depends on nothing but the routes, `publicUrl` and the brand, and its parts are in a fixed
 * order.
 */
export function completeDocument(
  draft: DraftDocument,
  { publicUrl, brand }: { publicUrl: string; brand: string }
): InterfaceDocument {
  const { openapi, info, paths: drafts, components } = structuredCloneOfData(draft)
  const schemas = schemasOf(components?.schemas ?? {})
  const nouns: Nouns = {
    schemas,
    example: ({ operationId, status, type }, schema) =>
      exampleFor(schema, inlineExamples[operationId]?.[`${status} ${type}`] ?? inlineExamples[operationId]?.[status])
  }
  const paths: Record<string, PathItem> = {}
  for (const [path, item] of Object.entries(tidyPaths(drafts))) {
    const operations = Object.entries(item) as [Method, DraftOperation][]
    paths[path] = Object.fromEntries(
      operations.map(([method, operation]): [string, Operation] => [
        method,
        completeOperation(operation, { method, nouns })
      ])
    )
  }
  const used = new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ tags }) => tags)
  )
  return prune({
    openapi,
    info: { ...info, description: GUIDE, contact: { name: 'The operator of this service', url: `${publicUrl}/docs` } },
    servers: [{ url: publicUrl, description: 'This service' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(nouns, brand),
    components: {
      schemas,
      responses: shareAnswers(paths),
      ...sharedParts(),
      examples: { ...examplesOfNouns(), ...examplesOfProblems(publicUrl) }
    }
  })
}

/**
 * Schemas carry symbols and functions of their library; the document is what JSON keeps of them.
 */
const structuredCloneOfData = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

function schemasOf(drafts: Record<string, Schema>): Record<string, Schema> {
  const schemas = Object.fromEntries(
    Object.entries(drafts)
      .sort(byName)
      .map(([name, schema]) => [name, plainSchema(schema)])
  )
  for (const [noun, lists] of Object.entries(ITEMS)) {
    const properties = schemas[noun]!.properties as Record<string, Schema>
    for (const [list, item] of Object.entries(lists)) {
      properties[list] = { ...properties[list], items: { $ref: `#/components/schemas/${item}` } }
    }
  }
  return schemas
}

/**
 * The example of a noun by reference; of a list of nouns, a list of one; else what is written down
 * for the operation.
 */
function exampleFor(schema: Schema, inline: unknown): ReturnType<Nouns['example']> {
  if (inline !== undefined) return { example: inline }
  const noun = nounOf(schema)
  if (noun !== undefined) return { examples: { [noun]: { $ref: `#/components/examples/${noun}` } } }
  const item = schema.type === 'array' ? nounOf(schema.items as Schema) : undefined
  return item === undefined ? {} : { example: [nounExamples[item]] }
}

function nounOf({ $ref }: Schema): string | undefined {
  const name = $ref?.split('/').at(-1)
  return name !== undefined && Object.hasOwn(nounExamples, name) ? name : undefined
}

const examplesOfNouns = () =>
  Object.fromEntries(
    Object.entries(nounExamples)
      .sort(byName)
      .map(([name, value]) => [name, { value }])
  )

function examplesOfProblems(publicUrl: string): InterfaceDocument['components']['examples'] {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].title, value: problemExample(code, publicUrl) }])
  )
}
