import { useEffect, useState } from 'preact/hooks'
import type { ProductList } from '../../../schemas/product.ts'
import type { ProductImport } from '../../../schemas/product-import.ts'
import type { Delivery, Webhook } from '../../../schemas/webhook.ts'
import { ApiError, call, messageOf } from '../api.ts'
import { listCheckEvents } from '../checks/events.ts'
import { formatNumber, plural } from '../format.ts'
import { Badge, Empty, ErrorNotice, Panel, Time, type Tone } from '../ui/display.tsx'

interface Failure {
  at: string | null
  tone: Tone
  kind: string
  text: string
  href: string
}

/** Scores below this are listed. */
const LOW_SCORE = 80
const MAX_SHOWN = 8

/** A list that the caller may not read has no failures to show: API keys lack scopes. */
async function ifAllowed(read: () => Promise<Failure[]>): Promise<Failure[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError && (error.problem?.status === 403 || error.problem?.status === 401)) return []
    throw error
  }
}

async function webhookFailures(): Promise<Failure[]> {
  const { webhooks } = await call<{ webhooks: Webhook[] }>('GET', '/api/webhooks')
  const lists = await Promise.all(
    webhooks.map(async ({ id, url, status, disabledBy, disabledAt, disabledReason }): Promise<Failure[]> => {
      const href = `#/webhooks/${id}`
      if (status === 'disabled') {
        if (disabledBy === 'person') return []
        return [{ at: disabledAt, tone: 'bad', kind: 'Webhook', text: `${url}: ${disabledReason ?? 'disabled'}`, href }]
      }
      const path = `/api/webhooks/${id}/deliveries?status=failed&pageSize=1`
      const { deliveries, totalCount } = await call<{ deliveries: Delivery[]; totalCount: number }>('GET', path)
      if (totalCount === 0) return []
      const count = totalCount === 1 ? '1 failed delivery' : `${formatNumber(totalCount)} failed deliveries`
      return [{ at: deliveries[0]!.createdAt, tone: 'bad', kind: 'Webhook', text: `${count} to ${url}`, href }]
    })
  )
  return lists.flat()
}

async function importFailures(): Promise<Failure[]> {
  const { imports } = await call<{ imports: ProductImport[] }>('GET', '/api/v1/products/imports?pageSize=10')
  return imports
    .filter(({ status, failed }) => status === 'failed' || failed > 0)
    .map(({ id, status, failed, reason, finishedAt, projectId }) => ({
      at: finishedAt,
      tone: status === 'failed' ? 'bad' : 'warn',
      kind: 'Import',
      text: status === 'failed' ? `${projectId}: ${reason ?? 'failed'}` : `${projectId}: ${plural(failed, 'bad row')}`,
      href: `#/products/imports/${id}`
    }))
}

async function productFailures(): Promise<Failure[]> {
  const { totalCount, products } = await call<ProductList>('GET', '/api/v1/products?status=failed&pageSize=1')
  if (totalCount === 0) return []
  const text = `${plural(totalCount, 'product')} without generated texts`
  return [{ at: products[0]!.updatedAt, tone: 'warn', kind: 'Products', text, href: '#/products?status=failed' }]
}

async function checkFailures(): Promise<Failure[]> {
  const events = await listCheckEvents()
  return events
    .filter(({ overallScore }) => overallScore === null || overallScore < LOW_SCORE)
    .map(({ at, blogId, checkId, url, overallScore, reason }) => ({
      at,
      tone: overallScore === null || overallScore < 50 ? 'bad' : 'warn',
      kind: 'Check',
      text: overallScore === null ? `${url}: ${reason ?? 'failed'}` : `Score ${overallScore}: ${url}`,
      href: `#/checks/${blogId}/${checkId}`
    }))
}

/** Recent problems, the newest first. */
export function RecentFailures() {
  const [failures, setFailures] = useState<Failure[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    Promise.all([webhookFailures, importFailures, productFailures, checkFailures].map(ifAllowed)).then(
      (lists) => {
        if (!isCurrent) return
        setFailures(lists.flat().sort((a, b) => (b.at ?? '').localeCompare(a.at ?? '')))
      },
      (failure: unknown) => setError(messageOf(failure))
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return (
    <Panel title="Recent problems">
      <ErrorNotice error={error} />
      {failures === null && error === null && <p class="loading">Loading…</p>}
      {failures?.length === 0 && <Empty title="Nothing failed in the last 30 days." />}
      {failures !== null && failures.length > 0 && (
        <ul class="failures">
          {failures.slice(0, MAX_SHOWN).map(({ at, tone, kind, text, href }) => (
            <li key={href}>
              <Badge tone={tone}>{kind}</Badge>
              <a href={href}>{text}</a>
              <span class="muted small">
                <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
