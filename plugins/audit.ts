import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { AuditAction, AuditActor, AuditChange, AuditTarget, AuditTargetType } from '../schemas/audit.ts'
import type { AuditEvent } from '../services/audit.ts'
import { clientAddress } from '../services/auth/client-address.ts'

/** The fields of a response body, or of what a handler set as `reply.audited`. */
export type AuditedRecord = Readonly<Record<string, unknown>>

/** How a change appears in the audit log. What is missing is read from the changed record. */
export interface AuditRule {
  action: AuditAction
  target: Pick<AuditTarget, 'type'> & Partial<AuditTarget>
  /** Default: the fields of the request body. */
  changes?: AuditChange[]
  /** The fields of the request body whose new values are recorded: settings, and never secrets or content. */
  shows?: readonly string[]
  /** The account, where the caller is unknown. Default: that of the request. */
  accountId?: string
  /** The project. Default: that of the record or the request. */
  projectId?: string | null
}

/** A rule that depends on what was done. Null: nothing was changed. */
export type AuditRuleOf = (record: AuditedRecord, request: FastifyRequest) => AuditRule | null

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How successful requests appear in the audit log, or why they do not. Required for every route
     * under /api that may change something.
     */
    audit?: AuditRule | AuditRuleOf | { exempt: string }
  }
  interface FastifyRequest {
    /** When the request arrived, in milliseconds since 1970. */
    arrivedAt: number
  }
  interface FastifyReply {
    /**
     * The record that the request changed, where the body of the response does not contain it. Set for
     * an error, the error is recorded too.
     */
    audited: object | null
    /** The body of a response that is recorded. */
    auditedBody: object | null
  }
}

const CHANGING = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Objects of request bodies whose fields are recorded one by one. */
const NESTED = new Set(['seo', 'storage'])

/**
 * Records in the audit log who changed what, by the `audit` of each route. The response waits for what
 * the log stores at once: see services/audit.ts.
 */
export default fp(
  async (app) => {
    const { audit } = app.services
    app.decorateRequest('arrivedAt', 0)
    app.decorateReply('audited', null)
    app.decorateReply('auditedBody', null)

    app.addHook('onRequest', (request, _reply, done) => {
      request.arrivedAt = Date.now()
      done()
    })

    // A change without a rule is a bug. It is reported at startup.
    app.addHook('onRoute', (route) => {
      const methods = [route.method].flat().filter((method) => CHANGING.has(method))
      if (methods.length === 0 || !route.url.startsWith('/api/')) return
      const rule = route.config?.audit
      if (rule === undefined) {
        throw new Error(`The route ${methods.join(', ')} ${route.url} has no rule for the audit log (config.audit).`)
      }
      if (typeof rule === 'object' && 'exempt' in rule) return
      route.preSerialization = [
        async (_request, reply, payload) => {
          reply.auditedBody = payload as object
          return payload
        },
        ...[route.preSerialization ?? []].flat()
      ]
    })

    // Before the response is stored for an Idempotency-Key: a retry of a stored response changes nothing.
    app.addHook('onSend', async (request, reply, payload) => {
      const event = toEvent(request, reply)
      if (event !== null) await audit.record(event)
      return payload
    })
  },
  { name: 'audit', dependencies: ['services', 'auth', 'request-context'] }
)

/** The event of a request that changed something. */
function toEvent(request: FastifyRequest, reply: FastifyReply): AuditEvent | null {
  const { audit } = request.routeConfig
  if (audit === undefined || (typeof audit === 'object' && 'exempt' in audit) || request.auth === null) return null
  if (reply.statusCode >= 400 && reply.audited === null) return null
  if (reply.hasHeader('idempotent-replayed')) return null
  if (reply.audited === null && isUnchanged(request, reply)) return null
  const record = { ...reply.auditedBody, ...reply.audited } as AuditedRecord
  const rule = typeof audit === 'function' ? audit(record, request) : audit
  const accountId = rule?.accountId ?? accountOf(request)
  if (rule === null || accountId === null) return null
  const { target, projectId } = targetOf(rule, record, request)
  return {
    accountId,
    actor: actorOf(request, accountId, rule),
    action: rule.action,
    target,
    projectId,
    changes: rule.changes ?? changesOf(request.body, rule),
    requestId: request.id,
    ipAddress: clientAddress(request.ip)
  }
}

/**
 * Whether the request left the record as it was: it was updated last before the request arrived, by either
 * measure. The clock may be set forward or back meanwhile. A retry of an interrupted request may find the
 * change of the first attempt, which has no entry.
 */
function isUnchanged({ operation, arrivedAt }: FastifyRequest, reply: FastifyReply): boolean {
  const { updatedAt } = (reply.auditedBody ?? {}) as AuditedRecord
  if (typeof updatedAt !== 'string' || operation?.isRetry === true) return false
  // The time first: a process that pauses between the two must not make the request younger.
  const now = Date.now()
  return Date.parse(updatedAt) < Math.floor(Math.min(arrivedAt, now - reply.elapsedTime))
}

/** The account that was changed: administrators name it in the path, others change their own. */
function accountOf({ caller, params }: FastifyRequest): string | null {
  if (caller.kind === 'anonymous') return null
  if (caller.kind === 'key' || !caller.admin) return caller.accountId
  return text((params as AuditedRecord).accountId) ?? caller.accountId
}

function actorOf({ caller }: FastifyRequest, accountId: string, { action }: AuditRule): AuditActor {
  switch (caller.kind) {
    case 'key':
      return { type: 'key', id: caller.keyId, name: caller.name, prefix: caller.prefix }
    case 'session':
      return { type: caller.admin ? 'admin' : 'session', id: caller.userId, name: null, prefix: null }
    case 'anonymous':
      // Who presents a rejected link is unknown. The subject of a started session is its account.
      return { type: 'session', id: action === 'session.created' ? accountId : null, name: null, prefix: null }
  }
}

/** How to find the project of a target where the record has no `projectId`. */
const IS_ITS_PROJECT: ReadonlySet<AuditTargetType> = new Set(['project'])

function targetOf(
  { target, projectId }: AuditRule,
  record: AuditedRecord,
  { body, query }: FastifyRequest
): { target: AuditTarget; projectId: string | null } {
  const id = target.id === undefined ? text(record.id) : target.id
  const label = target.label === undefined ? labelOf(record) : target.label
  const sent = { ...(query as object), ...(isObject(body) ? body : {}) } as AuditedRecord
  const found = IS_ITS_PROJECT.has(target.type) ? id : (text(record.projectId) ?? text(sent.projectId))
  return { target: { type: target.type, id, label }, projectId: projectId === undefined ? found : projectId }
}

/** The title or name of a record. Of a URL only the host, because paths and queries may contain secrets. */
function labelOf({ title, name, url }: AuditedRecord): string | null {
  const host = typeof url === 'string' && URL.canParse(url) ? new URL(url).host : null
  return text(title) ?? text(name) ?? host
}

/** The fields that the request set. */
function changesOf(body: unknown, { shows = [] }: AuditRule): AuditChange[] {
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([field, value]): AuditChange[] => {
    if (NESTED.has(field) && isObject(value)) return Object.keys(value).map((name) => ({ field: `${field}.${name}` }))
    return [shows.includes(field) && isScalar(value) ? { field, to: value } : { field }]
  })
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
/** Whether the value is an object of JSON, as opposed to a list, a buffer or a stream. */
function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  return [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype)
}
