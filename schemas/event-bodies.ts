import { Type } from '@sinclair/typebox'
import { EVENT_PRODUCTS } from './event.ts'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'
import { WebhookProduct } from './product.ts'
import { IMPORT_STATUSES } from './product-import.ts'
import { VisualCheck, VisualFinding } from './visual-check.ts'

/** The fields of every event. `data` depends on the type. */
const envelope = {
  id: Id({ description: 'The event id, the same in every attempt. Use it to process an event once' }),
  apiVersion: Type.String({ description: 'The version of the format. Within a version, fields are only added' }),
  timestamp: Timestamp({ description: 'The time of the event' }),
  sequence: Type.Integer({ minimum: 0, description: 'Increases by one with every event of the webhook. 0 for a ping' })
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
      updated: count('Including unchanged products'),
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
        description: 'The former slug, if it has changed'
      }),
      title: Type.String(),
      locale: Type.String(),
      category: Nullable(Type.String()),
      paths: Type.Array(Type.String(), { description: 'The paths of the website whose content has changed' }),
      contentVersion: Type.Integer({ minimum: 1, description: 'Increases with every change of the blog' }),
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
        { description: 'The most severe first. Retrieve the check for locations and measurements' }
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
 * The body of each event type, and when the event occurs.
 */
export const eventBodies = {
  'products.optimized': { body: ProductsOptimizedEvent, when: 'SEO texts of products have changed' },
  'products.import.completed': { body: ProductImportCompletedEvent, when: 'An import has finished' },
  'blog.published': { body: BlogEvent, when: 'A blog was published, or a published blog moved to this project' },
  'blog.updated': { body: BlogEvent, when: 'A published blog was changed' },
  'blog.unpublished': { body: BlogEvent, when: 'A blog was unpublished, or a published blog moved to another project' },
  'blog.deleted': { body: BlogEvent, when: 'A blog that had been published was deleted' },
  'visual_check.completed': { body: VisualCheckCompletedEvent, when: 'A visual check has finished or failed' },
  ping: { body: PingEvent, when: 'A test event was requested' }
}
