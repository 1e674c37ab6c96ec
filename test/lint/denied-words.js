/**
 * Words that the code once used for concepts that have an established name. `docs/glossary.md` lists
 * the terms to use. A denied word may not be a whole segment of an identifier (`toldAt`, `TOLD_AT`),
 * nor stand in a comment or string.
 */

/** Denied segments of identifiers, with the terms to use. */
export const DENIED_SEGMENTS = {
  told: 'published',
  untold: 'pending',
  telling: 'publishing',
  admission: 'rate limit result',
  passage: 'auth context',
  kept: 'cached, stored',
  unkept: 'noCache',
  bell: 'Signal',
  ear: 'listener',
  alone: 'withLease',
  patience: 'deadline, timeout',
  portion: 'batch',
  portions: 'batches',
  poke: 'wake',
  reseal: 're-encrypt',
  resealed: 're-encrypted',
  sight: 'rule input',
  sighting: 'page inspection',
  verdict: 'result',
  verdicts: 'results',
  stranger: 'unexpected text',
  strangers: 'unexpected texts',
  laps: 'timings',
  errand: 'job',
  ledger: 'usage meter',
  debts: 'unsynced increments',
  presence: 'heartbeats, text match',
  trouble: 'throttled error log',
  bury: 'delete',
  buried: 'deleted',
  rungs: 'fallback levels',
  shouting: 'all caps',
  plainness: 'readability',
  waited: 'formatDuration',
  greet: 'banner',
  greeting: 'banner',
  refusal: 'error, problem',
  refusals: 'errors, problems',
  refuse: 'problem',
  noun: 'schema',
  nouns: 'schemas',
  sabotage: 'mutant',
  sabotages: 'mutants',
  sabotaged: 'mutated',
  hammer: 'load client',
  hammers: 'load clients',
  mend: 'fix',
  mended: 'fixed',
  optimise: 'optimize',
  optimiser: 'optimizer'
}

/** Denied words of comments, strings and documents, with the terms to use. */
export const DENIED_PROSE = {
  told: 'published',
  telling: 'publishing',
  bury: 'delete',
  buried: 'deleted',
  hammer: 'load client',
  noun: 'schema',
  verdict: 'result',
  verdicts: 'results',
  ledger: 'usage meter',
  sighting: 'page inspection',
  errands: 'jobs',
  plainness: 'readability',
  untold: 'pending',
  mend: 'fix',
  mended: 'fixed',
  mends: 'fixes',
  reseal: 're-encrypt',
  resealed: 're-encrypted',
  strangers: 'unexpected texts',
  errand: 'job',
  patience: 'deadline, timeout',
  shouting: 'all caps',
  rungs: 'fallback levels',
  nouns: 'schemas',
  sabotage: 'mutant',
  sabotages: 'mutants',
  sabotaged: 'mutated',
  hammers: 'load clients',
  'guarded door': 'SSRF-safe HTTP client',
  'way out': 'egress proxy',
  'kept answer': 'cached response',
  'kept answers': 'response cache',
  whoever: 'a noun, such as client',
  refusal: 'error, problem',
  refusals: 'errors, problems',
  optimise: 'optimize',
  optimised: 'optimized',
  optimiser: 'optimizer'
}

const PROSE = new RegExp(`\\b(?:${Object.keys(DENIED_PROSE).join('|')})\\b`, 'gi')
const segmentsOf = (name) => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]/)

/** The denied words in a text, in lower case. */
export const deniedIn = (text) => [...text.matchAll(PROSE)].map(([word]) => word.toLowerCase())

export default {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { allow: { type: 'array', items: { type: 'string' } } } }],
    messages: {
      identifier: '"{{word}}" in an identifier: use the established term ({{instead}}).',
      prose: '"{{word}}": use the established term (docs/glossary.md).'
    }
  },
  create(context) {
    const { sourceCode } = context
    const allowed = new Set(context.options[0]?.allow)
    const identifier = (node) => {
      for (const segment of segmentsOf(node.name)) {
        const word = segment.toLowerCase()
        if (!Object.hasOwn(DENIED_SEGMENTS, word) || allowed.has(word)) continue
        context.report({ node, messageId: 'identifier', data: { word, instead: DENIED_SEGMENTS[word] } })
      }
    }
    const prose = (node, text) => {
      for (const word of deniedIn(text).filter((denied) => !allowed.has(denied))) {
        context.report({ node, messageId: 'prose', data: { word } })
      }
    }
    return {
      Identifier: identifier,
      Literal: (node) => {
        if (typeof node.value === 'string') prose(node, node.value)
      },
      TemplateElement: (node) => prose(node, node.value.raw),
      'Program:exit': () => {
        for (const comment of sourceCode.getAllComments()) prose(comment, comment.value)
      }
    }
  }
}
