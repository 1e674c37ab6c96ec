import type { Outbound } from './port.ts'

export { clientLoadingSteps } from './ssrf-safe-fetch/client.ts'

/**
 * Opens the SSRF-safe HTTP client. `allow` is the setting OUTBOUND_ALLOW: a comma-separated list of
 * hosts, CIDRs, `host:port` and URLs that are allowed although they are private or use plain http.
 * `allowsUrl` allows further URLs, such as pages of this service. Throws a StartError for an invalid
 * list.
 */
export async function openOutbound(options: { allow: string; allowsUrl?: (url: URL) => boolean }): Promise<Outbound> {
  const { openSsrfSafeFetch: openGuardedFetch } = await import('./ssrf-safe-fetch/index.ts')
  return openGuardedFetch(options)
}
