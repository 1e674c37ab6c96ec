/** The parts of a product that a phrase may name. Values are as the shop wrote them. */
export interface Facts {
  name: string
  brand: string
  color: string
  material: string
  /** Sizes, measures, weights and volumes, such as `180 cm`. */
  measures: Measure[]
  category: string
}
export interface Measure {
  kind: 'size' | 'width' | 'height' | 'length' | 'depth' | 'diameter' | 'weight' | 'volume' | 'dimensions'
  value: string
}

/**
 * What the rules need to know of a language in order to choose and shorten sentences. The word lists
 * only permit changes: what they do not know stays as the shop wrote it.
 */
export interface Grammar {
  /** Finite verbs. A shortened sentence must contain one if the whole sentence does. */
  verbs: RegExp
  /** The beginning of a clause after a comma, which may be left out up to the end of the sentence. */
  droppable: RegExp
  /** Conjunctions before a clause that may be left out, also without a comma. Global. */
  joints: RegExp
  /** Prepositions and relative pronouns at which a sentence with a complete predicate may end. Global. */
  modifiers: RegExp
  /** A verb and the beginning of its object, which together make a complete predicate. */
  predicates: RegExp
  /** Words before which, or in the reach of which, a sentence must not be cut. */
  bound: RegExp
  /** The first word of an adverbial that precedes the main clause. */
  opener: RegExp
  /** The beginning of a sentence that refers to the one before it. */
  dependent: RegExp
  /** A word for the product at the beginning of a sentence, such as `it` and `its`. */
  reference: RegExp
  /** A pronoun within a sentence that may mean the product, as in `With a lid, it keeps tea warm`. */
  innerPronoun: RegExp
  /** A demonstrative, which may precede the product's name: `this table`. */
  demonstrative: RegExp
  /** A pronoun that the product's name can replace, at the beginning of a sentence. */
  pronoun: RegExp
  /** Texts on the shop's service instead of the product: orders, delivery, notes, identifiers, advertising. */
  service: RegExp
  /** The beginning of an instruction, a warning, a disclaimer, or of advertising such as `Meet the …`. */
  instruction: RegExp
  /** Texts on the company, first person. */
  company: RegExp
  /** Praise that fits any product. */
  vague: RegExp
  /** Instructions for care and storage. */
  care: RegExp
  /** Material, size, use, benefit, audience. */
  uses: readonly RegExp[]
  /** Words that cannot end a text. */
  dangling: RegExp
  /** Joins the last two items of a list. */
  and: string
  /** Between the name of a product and a statement on it. */
  colon: string
  separator: string
  /** Whether a sentence after a colon begins with a small letter. */
  lowersAfterColon: boolean
  /** Phrases on a product without a usable text, the most complete one first. Without a full stop. */
  describe: (facts: Facts) => string[]
}

/** An expression that never matches. */
export const NEVER = /(?!)/u

/** Any of these words or phrases, separated by `|`. */
export const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')

/** A text that begins with any of these words or phrases. */
export const beginning = (list: string): RegExp => new RegExp(`^(?:${list})(?![\\p{L}\\p{N}])`, 'iu')

/** Notices of a website on its cookies, in several languages. Other cookies are food. */
export const COOKIE_NOTICES =
  'cookie[- ]?(?:policy|policies|settings|notice|consent|banner|richtlinien?|einstellungen|hinweise?)|' +
  '(?:politique|gestion|política|aviso) (?:de|des|sobre) cookies|' +
  '(?:use|uses|using|accept|enable|verwende[nt]|nutz(?:en|t)|setz(?:en|t)|akzeptieren|utilis(?:e|ent|ons)|' +
  'accepte[rz]|usa(?:mos)?|utiliza(?:mos)?|aceptar?) (?:\\p{L}+ )?cookies'

/** All occurrences of these words between spaces. */
export const between = (list: string): RegExp => new RegExp(` (?:${list}) `, 'giu')

/** Joins the parts that are not empty. */
export const phrase = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ')

/**
 * Variants of a phrase by leaving out parts at the end, the longest first. `parts` follow the name
 * directly.
 */
export function shorterAndShorter(name: string, parts: string[], join: (name: string, parts: string[]) => string) {
  const present = parts.filter((part) => part !== '')
  return Array.from({ length: present.length }, (_, i) => join(name, present.slice(0, present.length - i)))
}
