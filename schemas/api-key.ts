import { Type, type Static } from '@sinclair/typebox'
import { Id, Label, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'

/** The scopes of a key that is created without `scopes`. */
export const DEFAULT_SCOPES = ['blogs:read', 'blogs:write', 'products:read', 'products:write', 'images:read'] as const
/** Scopes that a key only has if they are requested. Most of them replace a session token in a pipeline. */
export const OPTIONAL_SCOPES = [
  'previews:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'audit:read'
] as const
export const SCOPES = [...DEFAULT_SCOPES, ...OPTIONAL_SCOPES] as const
export type Scope = (typeof SCOPES)[number]

/** Maximum number of active keys of an account. */
export const MAX_ACTIVE_KEYS = 25
/** API keys of an account, including those that are disabled or expired. */
export const MAX_KEYS = 200

const name = Label(64)
const scopes = Type.Array(OneOf(SCOPES), {
  minItems: 1,
  uniqueItems: true,
  description: `Default: ${DEFAULT_SCOPES.join(', ')}`
})

export const ApiKey = Type.Object(
  {
    id: Id(),
    name,
    scopes,
    status: OneOf(['active', 'disabled', 'expired']),
    prefix: Type.String({ description: 'The first characters of the value' }),
    last4: Type.String(),
    projectIds: Nullable(Type.Array(ProjectId()), {
      description: 'The projects that the key is restricted to, or null for all'
    }),
    generation: Type.Integer({ minimum: 1, description: 'Increases with each rotation' }),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
    expiresAt: Nullable(Timestamp()),
    lastUsedAt: Nullable(Timestamp())
  },
  { $id: 'ApiKey' }
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithValue = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.Optional(
      Type.String({
        description: 'The value. It is returned only once, and is missing from replayed responses'
      })
    )
  },
  { $id: 'ApiKeyWithValue' }
)
export type ApiKeyWithValue = Static<typeof ApiKeyWithValue>

export const ApiKeyInput = Type.Object(
  {
    name,
    scopes: Type.Optional(scopes),
    expiresAt: Type.Optional(Nullable(Timestamp())),
    projectIds: Type.Optional(Nullable(Type.Array(ProjectId(), { minItems: 1, maxItems: 100, uniqueItems: true })))
  },
  { $id: 'ApiKeyInput', additionalProperties: false }
)
export type ApiKeyInput = Static<typeof ApiKeyInput>

export const ApiKeyPatch = Type.Partial(
  Type.Object({
    name,
    scopes,
    expiresAt: Nullable(Timestamp()),
    disabled: Type.Boolean()
  }),
  { $id: 'ApiKeyPatch', additionalProperties: false, minProperties: 1 }
)
export type ApiKeyPatch = Static<typeof ApiKeyPatch>

export const ApiKeyList = Type.Object({ keys: Type.Array(Ref(ApiKey)) }, { $id: 'ApiKeyList' })
