const SEGMENT = /^[A-Za-z0-9._-]+$/
const LONGEST = 512

/**
 * Throws an Error for a key (or prefix) that port.ts does not allow: keys are made by the platform,
 * so a wrong one is a mistake of the program.
 */
export function checkKey(key: string): void {
  const sound =
    key.length <= LONGEST &&
    key.split('/').every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..')
  if (!sound) throw new Error(`This is no key of a file: ${JSON.stringify(key.slice(0, LONGEST + 1))}`)
}
