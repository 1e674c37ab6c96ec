import { Type, type Static } from '@sinclair/typebox'
import { EVENT_TYPES } from './event.ts'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'

export const DISABLED_BY = ['person', 'gone', 'failures'] as const
export type DisabledBy = (typeof DISABLED_BY)[number]
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
export const ATTEMPT_ERRORS = [
  'dns',
  'blocked',
  'connect',
  'tls',
  'timeout',
  'reset',
  'http_4xx',
  'http_5xx',
  'redirect',
  'too_large'
] as const
export type AttemptError = (typeof ATTEMPT_ERRORS)[number]
export const RECOVERY_STATUSES = ['running', 'done'] as const
/** Maximum number of webhooks of an account. */
export const MAX_WEBHOOKS = 50

const url = Type.String({
  format: 'http-url',
  maxLength: 2000,
  description: 'The URL of the receiver: https, with port 443 or 8443'
})
const events = Nullable(Type.Array(OneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true }), {
  description: 'null for all'
})
const projectIds = Nullable(Type.Array(ProjectId(), { minItems: 1, maxItems: 100, uniqueItems: true }), {
  description: 'null for all'
})
const description = Type.String({ maxLength: 500 })

export const WebhookInput = Type.Object(
  {
    url,
    events: Type.Optional(events),
    projectIds: Type.Optional(projectIds),
    description: Type.Optional(description)
  },
  { $id: 'WebhookInput', additionalProperties: false }
)
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookPatch = Type.Partial(
  Type.Object({
    url,
    events,
    projectIds,
    description,
    enabled: Type.Boolean({ description: 'While false, events are recorded as skipped' })
  }),
  { $id: 'WebhookPatch', additionalProperties: false, minProperties: 1 }
)
export type WebhookPatch = Static<typeof WebhookPatch>

const webhook = {
  id: Id(),
  url: Type.String(),
  events,
  projectIds,
  description,
  status: OneOf(['enabled', 'disabled']),
  disabledBy: Nullable(OneOf(DISABLED_BY)),
  disabledReason: Nullable(Type.String()),
  disabledAt: Nullable(Timestamp()),
  pausedUntil: Nullable(Timestamp(), {
    description: 'Deliveries are paused until this time, because the receiver fails or requested it'
  }),
  secretExpiresAt: Nullable(Timestamp(), { description: 'During a rotation, the expiry of the old secret' }),
  lastSuccessAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
  updatedAt: Timestamp()
}
export const Webhook = Type.Object(webhook, { $id: 'Webhook' })
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  {
    ...webhook,
    secret: Type.Optional(
      Type.String({
        description:
          'The signing secret: `whsec_` and 32 bytes in base64. ' +
          'It is returned only once, and is missing from replayed responses'
      })
    )
  },
  { $id: 'WebhookWithSecret' }
)
export const WebhookList = Type.Object({ webhooks: Type.Array(Ref(Webhook)) }, { $id: 'WebhookList' })

export const SecretRotation = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 168,
        description: 'How long the old secret remains valid, in hours. Default: 24'
      })
    )
  },
  { $id: 'SecretRotation', additionalProperties: false }
)

export const PingResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver responded with 2xx' }),
    status: Nullable(Type.Integer()),
    error: Nullable(OneOf(ATTEMPT_ERRORS)),
    detail: Nullable(Type.String()),
    durationMs: Type.Integer({ minimum: 0 }),
    response: Type.String({ description: 'The first 1 KiB of the response' })
  },
  { $id: 'PingResult' }
)
export type PingResult = Static<typeof PingResult>

export const DeliveryAttempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: Timestamp(),
  durationMs: Type.Integer({ minimum: 0 }),
  status: Nullable(Type.Integer()),
  error: Nullable(OneOf(ATTEMPT_ERRORS)),
  detail: Nullable(Type.String()),
  address: Nullable(Type.String({ description: 'The resolved IP address' })),
  requestHeaders: Type.Record(Type.String(), Type.String(), {
    description: 'The request headers without the signatures'
  }),
  responseHeaders: Type.Record(Type.String(), Type.String(), { description: 'The first 4 KiB of the headers' }),
  response: Type.String({
    description:
      'The beginning of the response: the first KiB of a successful one, up to 16 KiB of another one. ' +
      'Control characters count as six bytes. An account whose failed attempts stored 4 MiB in an hour ' +
      'stores the first KiB of each until the hour ends'
  })
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

const delivery = {
  id: Id(),
  webhookId: Id(),
  eventId: Id(),
  event: OneOf(EVENT_TYPES),
  sequence: Type.Integer({ minimum: 1, description: 'The sequence at this webhook, without gaps' }),
  status: OneOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0, description: 'The number of attempts' }),
  nextAttemptAt: Nullable(Timestamp()),
  lastStatus: Nullable(Type.Integer()),
  lastError: Nullable(OneOf(ATTEMPT_ERRORS)),
  createdAt: Timestamp(),
  deliveredAt: Nullable(Timestamp())
}
export const Delivery = Type.Object(delivery, { $id: 'Delivery' })
export type Delivery = Static<typeof Delivery>
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    attemptLog: Type.Array(DeliveryAttempt),
    body: Type.String({ description: 'The exact body of every attempt' })
  },
  { $id: 'DeliveryDetail' }
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
export const DeliveryList = Type.Object(
  { deliveries: Type.Array(Ref(Delivery)), ...PageTotals },
  { $id: 'DeliveryList' }
)

export const RecoveryRequest = Type.Object(
  {
    since: Timestamp({ description: 'The start of the period' }),
    until: Type.Optional(Timestamp({ description: 'The end of the period. Default: now' })),
    status: Type.Optional(
      Type.Array(OneOf(DELIVERY_STATUSES), { minItems: 1, uniqueItems: true, default: ['failed', 'skipped'] })
    )
  },
  { $id: 'RecoveryRequest', additionalProperties: false }
)
export type RecoveryRequest = Static<typeof RecoveryRequest>

export const Recovery = Type.Object(
  {
    id: Id(),
    webhookId: Id(),
    status: OneOf(RECOVERY_STATUSES),
    since: Timestamp(),
    until: Timestamp(),
    statuses: Type.Array(OneOf(DELIVERY_STATUSES)),
    examined: Type.Integer({ minimum: 0, description: 'The number of examined deliveries' }),
    requeued: Type.Integer({ minimum: 0, description: 'The number of requeued deliveries' }),
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp())
  },
  { $id: 'Recovery' }
)
export type Recovery = Static<typeof Recovery>
