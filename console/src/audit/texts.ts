import type { AuditAction, AuditActorType, AuditEntry } from '../../../schemas/audit.ts'
import { formatDateTime } from '../format.ts'

/** What was done, as a phrase that follows the name of who did it. */
export const ACTION_TEXTS: Record<AuditAction, string> = {
  'blog.created': 'Created a post',
  'blog.updated': 'Edited a post',
  'blog.restored': 'Restored a revision of a post',
  'blog.scheduled': 'Scheduled a post',
  'blog.published': 'Published a post',
  'blog.unpublished': 'Unpublished a post',
  'blog.deleted': 'Deleted a post',
  'blog.image_added': 'Added a picture to a post',
  'blog.image_deleted': 'Deleted a picture of a post',
  'blog.batch_imported': 'Imported posts',
  'product.created': 'Created a product',
  'product.updated': 'Changed a product',
  'product.deleted': 'Deleted a product',
  'product.batch_imported': 'Sent a batch of products',
  'product.import_started': 'Imported a file of products',
  'product.import_canceled': 'Canceled an import',
  'product.optimization_requested': 'Requested new product texts',
  'project.created': 'Created a project',
  'project.updated': 'Changed a project',
  'project.deleted': 'Deleted a project',
  'webhook.created': 'Created a webhook',
  'webhook.updated': 'Changed a webhook',
  'webhook.enabled': 'Enabled a webhook',
  'webhook.disabled': 'Disabled a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.secret_rotated': 'Rotated the secret of a webhook',
  'webhook.event_redelivered': 'Sent an event again',
  'webhook.recovery_started': 'Sent missed events again',
  'key.created': 'Created a key',
  'key.updated': 'Changed a key',
  'key.rotated': 'Rotated a key',
  'key.deleted': 'Deleted a key',
  'session.created': 'Signed in',
  'session.rejected': 'Tried to use an old sign-in link',
  'account.updated': 'Changed the account',
  'secrets.reencrypted': 'Encrypted signing secrets again',
  'queue.jobs_retried': 'Retried failed jobs'
}

/** What kind of actor it was, below its name. */
export const ACTOR_TEXTS: Record<AuditActorType, string> = {
  key: 'API key',
  session: 'Signed-in user',
  admin: 'Administrator',
  system: 'Content service'
}

/** The name of the actor, or its id. */
export function actorName({ type, name, id }: AuditEntry['actor']): string {
  if (type === 'system') return ACTOR_TEXTS.system
  return name ?? id ?? 'Unknown'
}

/** The changed fields, with the new values that the log contains. */
export const changesText = ({ changes }: AuditEntry): string =>
  changes.map(({ field, to }) => (to === undefined ? field : `${field}: ${valueText(to)}`)).join(', ')

function valueText(value: string | number | boolean | null): string {
  if (value === null) return 'none'
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)
  return isTime ? formatDateTime(value) : String(value)
}

/** The page of the console about the target. Null without one, and after the target was deleted. */
export function targetPath({ action, target: { type, id } }: AuditEntry): string | null {
  if (id === null || action.endsWith('.deleted')) return null
  const pages: Partial<Record<AuditEntry['target']['type'], string>> = {
    blog: '/blogs',
    product: '/products',
    import: '/products/imports',
    webhook: '/webhooks'
  }
  const page = pages[type]
  return page === undefined ? null : `${page}/${id}`
}
