import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'

/** Changes of content. */
export const CONTENT_ACTIONS = [
  'blog.created',
  'blog.updated',
  'blog.restored',
  'blog.scheduled',
  'blog.published',
  'blog.unpublished',
  'blog.deleted',
  'blog.image_added',
  'blog.image_deleted',
  'blog.batch_imported',
  'product.created',
  'product.updated',
  'product.deleted',
  'product.batch_imported',
  'product.import_started',
  'product.import_canceled',
  'product.optimization_requested'
] as const

/** Changes of who may access what, of settings, and of where data is sent. */
export const ACCESS_ACTIONS = [
  'project.created',
  'project.updated',
  'project.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.event_redelivered',
  'webhook.recovery_started',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.deleted',
  'session.created',
  'session.rejected',
  'account.updated',
  'secrets.reencrypted',
  'queue.jobs_retried'
] as const

/** What the audit log records. */
export const AUDIT_ACTIONS = [...CONTENT_ACTIONS, ...ACCESS_ACTIONS] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const AUDIT_ACTORS = ['key', 'session', 'admin', 'system'] as const
export type AuditActorType = (typeof AUDIT_ACTORS)[number]

export const AUDIT_TARGETS = [
  'blog',
  'product',
  'import',
  'project',
  'webhook',
  'key',
  'session',
  'account',
  'queue',
  'service'
] as const
export type AuditTargetType = (typeof AUDIT_TARGETS)[number]

/** Maximum length of labels, names and shown values, in characters. */
export const MAX_AUDIT_TEXT = 200
/** Maximum number of changes in an entry. */
export const MAX_AUDIT_CHANGES = 50

const AuditActor = Type.Object({
  type: OneOf(AUDIT_ACTORS, {
    description:
      '`key`: an API key. `session`: a signed-in user. `admin`: an administrator of the service. ' +
      '`system`: the service itself, such as when it publishes a scheduled blog'
  }),
  id: Nullable(Type.String(), { description: 'The id of the key, or the `sub` of the session token' }),
  name: Nullable(Type.String(), { description: 'The name of the key at this time' }),
  prefix: Nullable(Type.String(), { description: 'The first characters of the key at this time' })
})
export type AuditActor = Static<typeof AuditActor>

const AuditTarget = Type.Object({
  type: OneOf(AUDIT_TARGETS),
  id: Nullable(Type.String()),
  label: Nullable(Type.String(), { description: 'Its title or name at this time; for a webhook, the host of its URL' })
})
export type AuditTarget = Static<typeof AuditTarget>

const AuditChange = Type.Object({
  field: Type.String(),
  to: Type.Optional(
    Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      description: 'The new value of a setting with few possible values, or a count. Missing for all other fields'
    })
  )
})
export type AuditChange = Static<typeof AuditChange>

export const AuditEntry = Type.Object(
  {
    id: Id(),
    createdAt: Timestamp(),
    actor: AuditActor,
    action: OneOf(AUDIT_ACTIONS),
    target: AuditTarget,
    projectId: Nullable(ProjectId()),
    changes: Type.Array(AuditChange, { description: 'The fields that the request set' }),
    requestId: Nullable(Type.String(), { description: 'The `X-Request-Id` of the response; null for the system' }),
    ipAddress: Nullable(Type.String(), {
      description:
        'The address of the client, personal data. null for the system, and for administrators of the service ' +
        'unless an administrator reads the log'
    })
  },
  { $id: 'AuditEntry' }
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Type.Object(
  {
    entries: Type.Array(Ref(AuditEntry)),
    nextCursor: Nullable(Type.String(), { description: 'The `cursor` of the next page; null on the last one' })
  },
  { $id: 'AuditList' }
)
export type AuditList = Static<typeof AuditList>

export const AuditQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The number of entries per page' }),
    cursor: Type.Optional(
      Id({ description: 'The `nextCursor` of the page before; all other parameters stay the same' })
    ),
    actor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only changes by this actor: the id of a key or user' })
    ),
    action: Type.Optional(OneOf(AUDIT_ACTIONS, { description: 'Only this action' })),
    target: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Only changes of the record with this id' })
    ),
    since: Type.Optional(Timestamp({ description: 'Only changes at this time or later' })),
    until: Type.Optional(Timestamp({ description: 'Only changes before this time' }))
  },
  { additionalProperties: false }
)
export type AuditQuery = Static<typeof AuditQuery>
