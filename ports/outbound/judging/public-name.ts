/**
 * Two labels at least, none of them empty; what WHATWG lets through besides (`*`, `$`, `~` …) is in
 * no name of a host.
 */
const NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9_-]{1,63}$/
/** RFC 1035, section 2.3.4, without the root's dot. */
const LONGEST = 253

/**
 * Ends of names that are not in the public tree: RFC 6761 and 6762 (localhost, local, invalid), RFC
 * 8375 (home.arpa), RFC 7686 (onion), ICANN's `internal`, and what is commonly used at home and at
 * work.
 */
const PRIVATE_ENDS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'home.arpa',
  'invalid',
  'onion'
]

/**
 * Whether a lower-case name without a dot at its end could be one of the public internet. It may
 * still lead to a private address: see there.
 */
export function isPublicName(name: string): boolean {
  return (
    name.length <= LONGEST && NAME.test(name) && !PRIVATE_ENDS.some((end) => name === end || name.endsWith(`.${end}`))
  )
}
