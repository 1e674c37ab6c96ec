import { STYLE_PATTERNS } from './article-style.ts'

/**
 * What the patterns of schemas require, in words. Null: the description at each place says it. Readers of the API
 * documentation see the words and not the patterns.
 */
export const PATTERN_WORDS: Readonly<Record<string, string | null>> = {
  '\\S': 'Must not be blank',
  '^[A-Za-z0-9._-]{1,64}$': '1 to 64 of the characters A-Z a-z 0-9 . _ -',
  '^[a-z0-9]+(-[a-z0-9]+)*$': 'Lowercase letters, digits, and single hyphens between them',
  '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'A BCP 47 language tag, such as `en` or `de-CH`',
  '^[0-9]{8,14}$': '8 to 14 digits',
  '^[A-Z]{3}$': 'Three capital letters, such as `EUR`',
  '^[A-Z0-9_]+$': 'Capital letters, digits and underscores',
  '^.+:[^:]+$': 'A column name, a colon, and the name of the field',
  '^[^\\s/?#\\\\]+$': null,
  '^(/[A-Za-z0-9._~-]+)*/?$': 'A path of segments with letters, digits and `. _ ~ -`, such as `/journal`',
  '^/[A-Za-z0-9._~/-]*\\{category\\}[A-Za-z0-9._~/-]*$': null,
  '^"?[!-~]{16,255}"?$': null
}

const { width, color, families, radius } = STYLE_PATTERNS

/** Messages of errors for patterns whose words do not continue "must be". */
const MESSAGES: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  '^[^\\s/?#\\\\]+$': 'must not contain white space or any of / ? # \\',
  '^/[A-Za-z0-9._~/-]*\\{category\\}[A-Za-z0-9._~/-]*$':
    'must be a path that contains {category}, such as /journal/category/{category}',
  '^"?[!-~]{16,255}"?$': 'must be 16 to 255 visible ASCII characters',
  '^(?:(?:[1-9]|1[0-9]|2[0-3])h|(?:[1-9]|[12][0-9]|30)d)$': 'must be 1h to 23h, or 1d to 30d',
  ...Object.fromEntries(
    (
      [
        [width, 'a width such as 48rem, 720px or 65ch'],
        [color, 'a color such as #0a6e5c or #0a6, or a custom property such as var(--brand)'],
        [families, 'font families separated by commas, such as Inter, system-ui, sans-serif'],
        [radius, 'a radius such as 8px']
      ] as const
    ).flatMap(([pattern, words]) => [
      [`^(${pattern})$`, `must be ${words}`],
      [`^(${pattern}|)$`, `must be ${words}, or empty`]
    ])
  )
}

/** The message of an error for a value that does not match a pattern. It names the pattern if there are no words. */
export function patternMessage(pattern: string): string {
  const words = PATTERN_WORDS[pattern] ?? null
  const message = MESSAGES[pattern]
  if (message !== undefined) return message
  if (words === null) return `must match ${pattern}`
  return `must be ${words.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replaceAll('`', '')}`
}
