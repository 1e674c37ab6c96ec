import { hostOf } from './hosts.ts'
import type { Found, Rule, Sight } from './rule.ts'

export const jsError: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'A script of the page fails.',
  advice: 'See the named error in the console of a browser.',
  find
}

/** What a service of others does wrong is told, and costs nothing. */
function find({ facts: { runtime } }: Sight): Found | null {
  if (runtime.exceptions.length === 0) return null
  const host = hostOf(runtime.finalUrl)
  const own = runtime.exceptions.filter(
    ({ source }) => source === null || hostOf(source) === '' || hostOf(source) === host
  )
  const told = own.length > 0 ? own : runtime.exceptions
  return {
    extent: 0.5,
    places: [],
    count: told.length,
    evidence: { errors: told.slice(0, 3).map(({ message, source }) => ({ message: message.slice(0, 200), source })) },
    ...(own.length > 0 ? {} : { severity: 'info' as const, scope: 'site' as const })
  }
}
