/**
 * The characters of 0x80 to 0x9f (encoding.spec.whatwg.org/index-windows-1252.txt); a blank stands
 * for the five that are not assigned.
 */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const CONTROLS = /[\u0080-\u009f]/g

/**
 * Text of bytes that were read as Latin-1, which differs in these characters alone; those that are
 * not assigned stay what they are.
 */
export function fromLatin1(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const meant = HIGH[character.charCodeAt(0) - 0x80]!
    return meant === ' ' ? character : meant
  })
}

/** Where a byte stands that is no character of Windows-1252; -1: nowhere. */
export function unassignedAt(text: string): number {
  return text.search(/[\u0081\u008d\u008f\u0090\u009d]/)
}
