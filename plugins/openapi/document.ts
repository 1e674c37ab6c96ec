import { ERRORS, type ErrorCode } from '../../errors.ts'
import { inlineExamples, schemaExamples } from '../../schemas/examples.ts'
import { createYielder } from '../../lib/async.ts'
import { nameSchemas } from '../../lib/openapi/names.ts'
import { extractSharedProblems, mergePaths, normalizeSchema, pruneComponents } from '../../lib/openapi/transform.ts'
import type { Method, OpenApiDocument, Operation, PathItem, Schema } from '../../lib/openapi/types.ts'
import { sharedComponents } from './components.ts'
import { GUIDE, TAGS } from './guide.ts'
import { SCHEMA_NAMES } from './names.ts'
import { describePatterns } from './patterns.ts'
import { completeOperation, type DraftOperation, type SchemaCatalog } from './operation.ts'
import { problemExample } from './problems.ts'
import { describeWebhooks } from './webhooks.ts'

/** Lists whose items the service validates one by one, and the schemas of their items. */
const ITEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BlogImport: { blogs: 'ImportedBlog' },
  ProductBatch: { products: 'ProductRow' }
}

/** The document as @fastify/swagger creates it from the route schemas. */
export interface DraftDocument {
  openapi: string
  info: OpenApiDocument['info']
  paths: Record<string, PathItem<DraftOperation>>
  components?: { schemas?: Record<string, Schema> }
}

/**
 * Completes the draft of the API document with security, headers, errors, examples and webhooks.
 * The result is deterministic: it depends on the routes, `publicUrl` and the brand. It takes about 50 ms
 * of CPU time, in steps with pauses, so that requests do not wait for it.
 */
export async function completeDocument(
  draft: DraftDocument,
  { publicUrl, brand }: { publicUrl: string; brand: string }
): Promise<OpenApiDocument> {
  const pause = createYielder()
  const { openapi, info, paths: drafts, components } = cloneAsJson(draft)
  await pause()
  const schemas = schemasOf(components?.schemas ?? {})
  await pause()
  const catalog: SchemaCatalog = {
    schemas,
    example: ({ operationId, status, type }, schema) =>
      exampleFor(schema, inlineExamples[operationId]?.[`${status} ${type}`] ?? inlineExamples[operationId]?.[status])
  }
  const paths: Record<string, PathItem> = {}
  for (const [path, item] of Object.entries(mergePaths(drafts))) {
    const operations = Object.entries(item) as [Method, DraftOperation][]
    paths[path] = Object.fromEntries(
      operations.map(([method, operation]): [string, Operation] => [
        method,
        completeOperation(operation, { method, catalog })
      ])
    )
    await pause()
  }
  const used = new Set(
    Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ tags }) => tags)
  )
  const document: OpenApiDocument = {
    openapi,
    info: { ...info, description: GUIDE, contact: { name: 'The operator of this service', url: `${publicUrl}/docs` } },
    servers: [{ url: publicUrl, description: 'This server' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeWebhooks(catalog, brand),
    components: {
      schemas,
      responses: extractSharedProblems(paths),
      ...sharedComponents(),
      examples: { ...schemaExamplesByName(), ...problemExamples(publicUrl) }
    }
  }
  await pause()
  describePatterns(document)
  await pause()
  nameSchemas(document, SCHEMA_NAMES)
  await pause()
  return pruneComponents(document)
}

/** Drops the symbols and functions of TypeBox. */
const cloneAsJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

function schemasOf(drafts: Record<string, Schema>): Record<string, Schema> {
  const schemas = Object.fromEntries(
    Object.entries(drafts)
      .sort(byName)
      .map(([name, schema]) => [name, normalizeSchema(schema)])
  )
  for (const [name, lists] of Object.entries(ITEMS)) {
    const properties = schemas[name]!.properties as Record<string, Schema>
    for (const [list, item] of Object.entries(lists)) {
      properties[list] = { ...properties[list], items: { $ref: `#/components/schemas/${item}` } }
    }
  }
  return schemas
}

/**
 * The example of a response: the operation's own, a reference to the example of the schema, or a list
 * with the example of the item schema.
 */
function exampleFor(schema: Schema, inline: unknown): ReturnType<SchemaCatalog['example']> {
  if (inline !== undefined) return { example: inline }
  const name = schemaName(schema)
  if (name !== undefined) return { examples: { [name]: { $ref: `#/components/examples/${name}` } } }
  const item = schema.type === 'array' ? schemaName(schema.items as Schema) : undefined
  return item === undefined ? {} : { example: [schemaExamples[item]] }
}

function schemaName({ $ref }: Schema): string | undefined {
  const name = $ref?.split('/').at(-1)
  return name !== undefined && Object.hasOwn(schemaExamples, name) ? name : undefined
}

const schemaExamplesByName = () =>
  Object.fromEntries(
    Object.entries(schemaExamples)
      .sort(byName)
      .map(([name, value]) => [name, { value }])
  )

function problemExamples(publicUrl: string): OpenApiDocument['components']['examples'] {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  return Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].title, value: problemExample(code, publicUrl) }])
  )
}
