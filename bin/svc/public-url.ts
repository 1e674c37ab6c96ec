import type { Config } from '../../schemas/config.ts'

/** Where customers reach the servers of these settings; no slash at the end. */
export function publicUrl({ PUBLIC_URL, HOST, PORT }: Config): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/+$/, '')
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${PORT}`
}
