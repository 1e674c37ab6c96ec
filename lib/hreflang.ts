/**
 * The value of `hreflang` for a BCP 47 tag: language, script and region in their usual case, such as
 * `de`, `zh-Hant` or `pt-BR` (https://developers.google.com/search/docs/specialty/international/localized-versions).
 * Variants and extensions are left out, because search engines do not read them. An invalid tag is
 * returned in lower case.
 */
export function hreflangOf(tag: string): string {
  const locale = parse(tag)
  if (locale === null) return tag.toLowerCase()
  return [locale.language, locale.script, locale.region].filter((part) => part !== undefined).join('-')
}

function parse(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
