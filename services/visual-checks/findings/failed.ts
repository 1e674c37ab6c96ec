import type { RuntimeSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { isFavicon } from './hosts.ts'
import type { Found, Sight } from './rule.ts'

type Failure = RuntimeSnapshot['failures'][number]

/**
 * Tells requests that failed, each address once; icons of the browser's own asking are left out.
 */
export function failedOf({ facts }: Sight, counts: (failure: Failure) => boolean): Found | null {
  const failures = new Map(
    facts.runtime.failures
      .filter((failure) => !isFavicon(failure.url) && counts(failure))
      .map((failure) => [failure.url, failure])
  )
  if (failures.size === 0) return null
  const told = [...failures.values()]
    .sort((a, b) => (a.url < b.url ? -1 : 1))
    .map(({ url, type, reason }) => ({ url: url.slice(0, 300), type, reason }))
  return { extent: 0.5, places: [], count: failures.size, evidence: { failed: told.slice(0, 5) } }
}
