import type { Outbound } from './port.ts'

/**
 * Opens the guarded door. `allow` is OUTBOUND_ALLOW: a comma list of hosts, CIDRs and `host:port`
 * that may be reached although private or plain http. Throws StartError for a list that cannot be
 * read.
 */
export async function openOutbound(options: { allow: string }): Promise<Outbound> {
  const { openGuardedFetch } = await import('./guarded-fetch/index.ts')
  return openGuardedFetch(options)
}
