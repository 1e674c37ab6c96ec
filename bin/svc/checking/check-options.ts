import { ENVIRONMENTS, VIEWPORT_NAMES, type VisualCheckInput } from '../../../schemas/visual-check.ts'
import { UsageError, text, type Values } from '../command.ts'

/** What the person asked for. `failUnder` null: any score will do. */
export interface CheckOptions {
  account: string
  slug: string
  input: VisualCheckInput
  failUnder: number | null
  open: boolean
}

/**
 * Reads the words and options of the command. Throws a UsageError that names what is wrong and what
 * would be right.
 */
export function readCheckOptions(words: string[], values: Values): CheckOptions {
  const [url, ...others] = words
  if (url === undefined || others.length > 0) {
    throw new UsageError('Name the one page to look at: svc check URL --blog SLUG')
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`URL is an address that begins with http:// or https://, and "${url}" is none.`)
  }
  const slug = text(values, 'blog')
  if (slug === undefined || slug === '') {
    throw new UsageError('--blog names the published blog that the page should show, by its slug.')
  }
  const environment = oneOf('environment', ENVIRONMENTS, values)
  const viewport = oneOf('viewport', VIEWPORT_NAMES, values)
  const failUnder = text(values, 'fail-under')
  if (failUnder !== undefined && (!/^\d{1,3}$/.test(failUnder) || Number(failUnder) > 100)) {
    throw new UsageError('--fail-under is a whole number from 0 to 100.')
  }
  const open = values.open === true
  return {
    account: text(values, 'account', 'demo'),
    slug,
    // Only a report shows pictures of the findings.
    input: {
      url,
      ...(environment === undefined ? {} : { environment }),
      ...(viewport === undefined ? {} : { viewports: [viewport] }),
      screenshots: open ? 'full' : 'thumbs'
    },
    failUnder: failUnder === undefined ? null : Number(failUnder),
    open
  }
}

function oneOf<const T extends string>(name: string, words: readonly T[], values: Values): T | undefined {
  const value = text(values, name)
  if (value === undefined) return undefined
  const known = words.find((word) => word === value)
  if (known === undefined) throw new UsageError(`--${name} knows no "${value}"; there are ${words.join(', ')}.`)
  return known
}
