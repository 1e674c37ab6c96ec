import type { PageInspection } from '../../../ports/browser/port.ts'
import type { UnopenedPageCode } from './codes.ts'
import type { Rule } from './rule.ts'

/** The finding of each outcome of an inspection without a snapshot. */
export const UNOPENED_CODES: Readonly<Record<Exclude<PageInspection['outcome'], 'inspected'>, UnopenedPageCode>> = {
  unreachable: 'PAGE_UNREACHABLE',
  timeout: 'PAGE_TIMES_OUT',
  redirecting: 'PAGE_REDIRECTS_ENDLESSLY',
  reloading: 'PAGE_RELOADS_ENDLESSLY',
  blocked: 'PAGE_ADDRESS_NOT_ALLOWED',
  crashed: 'PAGE_CRASHES_BROWSER'
}

/** Such a page has no snapshot: `evaluateUnopened` reports these findings. */
const unopened = (code: UnopenedPageCode, message: string, advice: string): Rule => ({
  code,
  category: code === 'PAGE_CRASHES_BROWSER' ? 'runtime' : 'content',
  severity: 'critical',
  scope: 'article',
  version: code === 'PAGE_CRASHES_BROWSER' ? 2 : 1,
  message,
  advice,
  detect: () => null
})

/** The page cannot be opened at all. */
export const openingRules: readonly Rule[] = [
  unopened(
    'PAGE_UNREACHABLE',
    'The page cannot be opened: its server is unreachable or does not respond with a page.',
    'Check the host name, the certificate and the server. `evidence` has the error of the connection.'
  ),
  unopened(
    'PAGE_TIMES_OUT',
    'The page takes too long: it did not load within the time limit.',
    'Look for slow database queries and requests to other servers, and cache rendered pages.'
  ),
  unopened(
    'PAGE_REDIRECTS_ENDLESSLY',
    'The page redirects without end.',
    'Check the redirects between http and https, with and without `www`, and with and without a trailing slash.'
  ),
  unopened(
    'PAGE_RELOADS_ENDLESSLY',
    'The page reloads again and again.',
    'Look for scripts that call `location.reload()` or set `location`, and for `<meta http-equiv="refresh">`.'
  ),
  unopened(
    'PAGE_ADDRESS_NOT_ALLOWED',
    'The page is at an address that is not allowed, or redirects to one.',
    'Use a page on the public internet, with port 80 or 443. ' +
      'The operator can allow other addresses with OUTBOUND_ALLOW.'
  ),
  unopened(
    'PAGE_CRASHES_BROWSER',
    'The page crashes the browser.',
    'Look for scripts that create huge texts, console messages or errors, or that use much memory.'
  )
]
