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
/** Most webhooks of an account. */
export const MAX_WEBHOOKS = 50

const url = Type.String({
  format: 'http-url',
  maxLength: 2000,
  description: 'Where events are posted to: https, on port 443 or 8443'
})
const events = Nullable(Type.Array(OneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true }), {
  description: 'null: all'
})
const projectIds = Nullable(Type.Array(ProjectId(), { minItems: 1, maxItems: 100, uniqueItems: true }), {
  description: 'null: all'
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
    enabled: Type.Boolean({ description: 'false: events are kept as skipped until it is enabled again' })
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
    description: 'Deliveries wait until then, because the receiver asked for it or fails'
  }),
  secretExpiresAt: Nullable(Timestamp(), { description: 'While a secret is being rotated: when the old one ends' }),
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
          'The signing secret: `whsec_` and 32 bytes in base64. It is shown here and never again; a replayed answer leaves it out'
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
        description: 'For how long the old secret is good beside the new one; 24 where it is left out'
      })
    )
  },
  { $id: 'SecretRotation', additionalProperties: false }
)

export const PingResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver answered 2xx' }),
    status: Nullable(Type.Integer()),
    error: Nullable(OneOf(ATTEMPT_ERRORS)),
    detail: Nullable(Type.String()),
    durationMs: Type.Integer({ minimum: 0 }),
    response: Type.String({ description: 'The first 1 KiB of what the receiver answered' })
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
  address: Nullable(Type.String({ description: 'The address that the name resolved to' })),
  requestHeaders: Type.Record(Type.String(), Type.String(), { description: 'Without the signatures' }),
  responseHeaders: Type.Record(Type.String(), Type.String()),
  response: Type.String({ description: 'The first 16 KiB of what the receiver answered' })
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

const delivery = {
  id: Id(),
  webhookId: Id(),
  eventId: Id(),
  event: OneOf(EVENT_TYPES),
  sequence: Type.Integer({ minimum: 1, description: 'Without gaps at this webhook' }),
  status: OneOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0, description: 'How many there were' }),
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
    body: Type.String({ description: 'The body, byte by byte as it is sent at each attempt' })
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
    since: Timestamp({ description: 'Events from this time on' }),
    until: Type.Optional(Timestamp({ description: 'Default: now' })),
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
    examined: Type.Integer({ minimum: 0, description: 'Deliveries looked at so far' }),
    requeued: Type.Integer({ minimum: 0, description: 'Of those, the ones that are sent again' }),
    createdAt: Timestamp(),
    finishedAt: Nullable(Timestamp())
  },
  { $id: 'Recovery' }
)
export type Recovery = Static<typeof Recovery>
