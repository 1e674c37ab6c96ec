import { Type } from '@sinclair/typebox'
import { EVENT_PRODUCTS } from './event.ts'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'
import { WebhookProduct } from './product.ts'
import { IMPORT_STATUSES } from './product-import.ts'
import { VisualCheck, VisualFinding } from './visual-check.ts'

/** What every event begins with; `data` is its own. */
const envelope = {
  id: Id({ description: 'The same at each attempt: do an event once by it' }),
  apiVersion: Type.String({ description: 'Within a version fields are only added' }),
  timestamp: Timestamp({ description: 'When it happened' }),
  sequence: Type.Integer({ minimum: 0, description: 'Grows by one with every event of the webhook; 0 for a ping' })
}
const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })

export const ProductsOptimizedEvent = Type.Object(
  {
    ...envelope,
    type: OneOf(['products.optimized']),
    data: Type.Object({
      projectId: ProjectId(),
      products: Type.Array(Ref(WebhookProduct), { minItems: 1, maxItems: EVENT_PRODUCTS })
    })
  },
  { $id: 'ProductsOptimizedEvent' }
)

export const ProductImportCompletedEvent = Type.Object(
  {
    ...envelope,
    type: OneOf(['products.import.completed']),
    data: Type.Object({
      importId: Id(),
      projectId: ProjectId(),
      status: OneOf(IMPORT_STATUSES),
      reason: Nullable(Type.String()),
      total: count(),
      processed: count(),
      created: count(),
      updated: count('Those included that were so already'),
      unchanged: count(),
      failed: count()
    })
  },
  { $id: 'ProductImportCompletedEvent' }
)

export const BlogEvent = Type.Object(
  {
    ...envelope,
    type: OneOf(['blog.published', 'blog.updated', 'blog.unpublished', 'blog.deleted']),
    data: Type.Object({
      id: Id(),
      projectId: ProjectId(),
      slug: Type.String(),
      previousSlug: Nullable(Type.String(), {
        description: 'The slug that it was public under before, where it has another now'
      }),
      title: Type.String(),
      locale: Type.String(),
      category: Nullable(Type.String()),
      paths: Type.Array(Type.String(), { description: 'Paths of the website that show something else now' }),
      contentVersion: Type.Integer({ minimum: 1, description: 'Grows with every change of the blog' }),
      publishedAt: Nullable(Timestamp())
    })
  },
  { $id: 'BlogEvent' }
)

export const VisualCheckCompletedEvent = Type.Object(
  {
    ...envelope,
    type: OneOf(['visual_check.completed']),
    data: Type.Object({
      checkId: Id(),
      projectId: ProjectId(),
      ...Type.Pick(VisualCheck, [
        'blogId',
        'url',
        'finalUrl',
        'environment',
        'status',
        'overallScore',
        'reason',
        'categories'
      ]).properties,
      findings: Type.Array(
        Type.Pick(VisualFinding, ['code', 'category', 'severity', 'confidence', 'viewports', 'count']),
        { description: 'The worst first; where they are and what was measured is read with the check' }
      ),
      since: VisualCheck.properties.since
    })
  },
  { $id: 'VisualCheckCompletedEvent' }
)

export const PingEvent = Type.Object(
  { ...envelope, type: OneOf(['ping']), data: Type.Object({}, { additionalProperties: true }) },
  { $id: 'PingEvent' }
)

/**
 * Whose body it is that is posted to a webhook, by the kind of event, with a sentence about when.
 */
export const eventBodies = {
  'products.optimized': { body: ProductsOptimizedEvent, when: 'Texts of products changed since they were told last' },
  'products.import.completed': { body: ProductImportCompletedEvent, when: 'An import has ended' },
  'blog.published': { body: BlogEvent, when: 'A blog went public' },
  'blog.updated': { body: BlogEvent, when: 'A public blog was changed' },
  'blog.unpublished': { body: BlogEvent, when: 'A blog was taken off' },
  'blog.deleted': { body: BlogEvent, when: 'A blog that was ever public was deleted' },
  'visual_check.completed': { body: VisualCheckCompletedEvent, when: 'A visual check has ended, well or not' },
  ping: { body: PingEvent, when: 'Somebody asked for a test' }
}
