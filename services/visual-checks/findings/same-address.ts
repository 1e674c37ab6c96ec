import { hostOf } from './hosts.ts'

/**
 * Whether two addresses are of one page: with or without www, https, a slash at the end, a query.
 * `anyHost`: of one path, on whatever host.
 */
export function isSameAddress(one: string, other: string, anyHost = false): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false
  const path = (address: string) => decoded(new URL(address).pathname).replace(/\/(?:index\.html?)?$/, '')
  return path(one) === path(other) && (anyHost || hostOf(one) === hostOf(other))
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
