import type { Socket } from 'node:net'
import type { Ledger } from './pass.ts'

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n'
/** A tunnel through which nothing goes for so long is cut, whatever became of its check. */
const IDLE_MS = 60_000

/**
 * Joins a browser to the site that it asked for: bytes go both ways, no faster than they are taken,
 * and the end of one is the end of the other. `head`: what the browser sent already.
 */
export function joinTunnel(browser: Socket, site: Socket, { head, ledger }: { head: Buffer; ledger: Ledger }): void {
  const count = ledger.meter(site)
  for (const [one, other] of [
    [browser, site],
    [site, browser]
  ] as const) {
    one.setTimeout(IDLE_MS, () => one.destroy())
    one.on('error', () => one.destroy())
    // What was read already is still written.
    one.once('close', () => other.destroySoon())
    one.on('data', count)
  }
  browser.write(ESTABLISHED)
  if (head.length > 0) site.write(head)
  browser.pipe(site)
  site.pipe(browser)
}
