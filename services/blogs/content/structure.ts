import { collapse, foldText } from '../../../lib/text.ts'
import { languageOf } from '../../../lib/transliterate.ts'
import type { ContentStructure } from '../../../ports/store/port/blogs.ts'
import { extractTextBlocks } from './text-blocks.ts'
import { attributeOf, isElement, textOf, type ChildNode, type Element, type ParentNode } from './tree.ts'

/** A part of the content in reading order. */
type Part =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'details'; question: string; text: string }
  | { kind: 'steps'; steps: string[]; text: string }
  | { kind: 'text'; text: string }
type Question = ContentStructure['faq'][number]
type HowTo = NonNullable<ContentStructure['howTo']>

/** With fewer, a list of questions or steps is not certain enough to be declared as such. */
const MIN_ITEMS = 2
/** More entries make a page slower and are read by no search engine. */
const MAX_ITEMS = 100

const CONTAINERS: ReadonlySet<string> = new Set(['div', 'section', 'article', 'main', 'header', 'footer'])
const QUESTION = /[?？؟]["'”’»」』)]*$/u

/** Headings of question lists, folded. They are unmistakable, so that the language does not matter. */
const FAQ_HEADING = new RegExp(
  `^(?:${[
    'faqs?',
    '(?:frequently asked|common) questions',
    'questions (?:and|&) answers',
    'q ?& ?a',
    'haufig(?:e| gestellte) fragen',
    'fragen und antworten',
    'foire aux questions',
    'questions frequentes',
    'preguntas (?:mas )?frecuentes',
    'domande frequenti',
    'perguntas frequentes',
    'veelgestelde vragen',
    'najczesciej zadawane pytania',
    'よくあるご?質問',
    '常见问题',
    '常見問題',
    'الأسئلة الشائعة',
    'الاسئلة الشائعة'
  ].join('|')})(?!\\p{L})`,
  'u'
)

interface HowToWords {
  /** The beginning of a heading that announces instructions. */
  title: RegExp
  /** The heading of the steps. */
  steps: RegExp
  /** The heading of one step, with its number and its name. */
  step: RegExp
}

const howToWords = (title: string, steps: string, step: string): HowToWords => ({
  title: new RegExp(`^(?:${title})(?!\\p{L})`, 'u'),
  steps: new RegExp(`^(?:${steps})(?!\\p{L})`, 'u'),
  step: new RegExp(`^(?:${step}) (\\d{1,2})(?:\\s*[:.)–—-]\\s*|\\s+|$)(.*)$`, 'iu')
})

/** By language, folded. `comment` and `come` mean something else in English. */
const HOW_TO: Readonly<Record<string, HowToWords>> = {
  en: howToWords('how to', 'steps|instructions|directions|step[- ]by[- ]step', 'step'),
  de: howToWords(
    'wie man|so (?:geht|wird|machst|machen)|anleitung',
    'schritte|anleitung|schritt fur schritt',
    'schritt'
  ),
  fr: howToWords('comment', 'les etapes|etapes|instructions|pas a pas', '[eé]tape'),
  es: howToWords('como', 'pasos|instrucciones|paso a paso', 'paso'),
  it: howToWords('come', 'passaggi|istruzioni|passo (?:dopo|per) passo', 'pass(?:o|aggio)'),
  pt: howToWords('como', 'passos|instrucoes|passo a passo', 'passo'),
  nl: howToWords('hoe', 'stappen|instructies|stap voor stap', 'stap')
}

/**
 * Finds questions with answers, and the steps of a guide, by the structure of a tree of sanitized HTML:
 *
 * - Questions are the headings below an FAQ heading that end in a question mark, or `details`
 *   elements below it. Without an FAQ heading, all `details` elements must have a question.
 * - Steps are the only ordered list below a how-to heading, or below a heading such as "Steps" of a
 *   blog whose title is a how-to, or headings such as "Step 1: …".
 *
 * Anything less certain is left out, because search engines penalize structured data that does not
 * describe the page.
 */
export function findStructure(
  root: ParentNode,
  { title, locale }: { title: string; locale: string }
): ContentStructure {
  const parts: Part[] = [{ kind: 'heading', level: 1, text: collapse(title) }, ...readParts(root)]
  return { faq: findQuestions(parts), howTo: findHowTo(parts, HOW_TO[languageOf(locale)]) }
}

function readParts(root: ParentNode): Part[] {
  return root.childNodes.flatMap((node): Part[] => {
    if (!isElement(node)) return toTextPart([node])
    if (attributeOf(node, 'class') === 'svc-footnotes') return []
    if (CONTAINERS.has(node.tagName)) return readParts(node)
    if (/^h[2-6]$/.test(node.tagName)) {
      return [{ kind: 'heading', level: Number(node.tagName[1]), text: collapse(textOf(node)) }]
    }
    if (node.tagName === 'details') return [readDetails(node)]
    if (node.tagName === 'ol') return [readList(node)]
    return toTextPart([node])
  })
}

function toTextPart(nodes: ChildNode[]): Part[] {
  const text = visibleText(nodes)
  return text === '' ? [] : [{ kind: 'text', text }]
}

function readDetails(details: Element): Part {
  const isSummary = (node: ChildNode) => isElement(node) && node.tagName === 'summary'
  return {
    kind: 'details',
    question: visibleText(details.childNodes.filter(isSummary)),
    text: visibleText(details.childNodes.filter((node) => !isSummary(node)))
  }
}

function readList(list: Element): Part {
  const steps = list.childNodes
    .filter((node) => isElement(node) && node.tagName === 'li')
    .map((item) => visibleText([item]))
  return { kind: 'steps', steps, text: steps.join(' ') }
}

const visibleText = (nodes: ChildNode[]): string =>
  extractTextBlocks({ childNodes: nodes } as unknown as ParentNode)
    .map(({ text }) => collapse(text))
    .join(' ')

/** The parts below the heading at this position: up to the next heading of the same or a higher level. */
function sectionAt(parts: Part[], position: number): Part[] {
  const heading = parts[position]!
  const level = heading.kind === 'heading' ? heading.level : 0
  const end = parts.findIndex((part, at) => at > position && part.kind === 'heading' && part.level <= level)
  return parts.slice(position + 1, end === -1 ? undefined : end)
}

const textOfParts = (parts: Part[]): string =>
  parts
    .map((part) => (part.kind === 'details' ? `${part.question} ${part.text}` : part.text))
    .join(' ')
    .trim()

function findQuestions(parts: Part[]): Question[] {
  const sections = parts.flatMap((part, at) =>
    part.kind === 'heading' && FAQ_HEADING.test(foldText(part.text)) ? [sectionAt(parts, at)] : []
  )
  // Of a title and a heading below it, the title contains both.
  const found = sections.length > 0 ? (questionsOf(sections[0]!) ?? sections.slice(1).flatMap(certain)) : []
  const questions = sections.length > 0 ? found : looseQuestions(parts)
  const isComplete = questions.every(({ question, answer }) => question !== '' && answer !== '')
  return isComplete && questions.length >= MIN_ITEMS && questions.length <= MAX_ITEMS ? questions : []
}

const certain = (section: Part[]): Question[] => questionsOf(section) ?? []

/** The questions of a section; null if it contains headings that are no questions. */
function questionsOf(section: Part[]): Question[] | null {
  const headings = section.some(({ kind }) => kind === 'heading')
  if (!headings) return detailsOf(section)
  const questions: Question[] = []
  for (let at = 0; at < section.length; at++) {
    const part = section[at]!
    if (part.kind !== 'heading') continue
    const below = sectionAt(section, at)
    if (QUESTION.test(part.text)) {
      questions.push({ question: part.text, answer: textOfParts(below) })
      at += below.length
    } else if (!below.some(({ kind }) => kind === 'heading')) {
      // A group of questions contains only `details`; anything else is not a part of the list.
      const grouped = detailsOf(below)
      if (grouped.length === 0) return null
      questions.push(...grouped)
    }
  }
  return questions
}

const detailsOf = (section: Part[]): Question[] =>
  section.flatMap((part) => (part.kind === 'details' ? [{ question: part.question, answer: part.text }] : []))

function looseQuestions(parts: Part[]): Question[] {
  const details = detailsOf(parts)
  return details.every(({ question }) => QUESTION.test(question)) ? details : []
}

function findHowTo(parts: Part[], words: HowToWords | undefined): HowTo | null {
  if (words === undefined) return null
  const guides = parts.flatMap((part, at): HowTo[] => {
    if (part.kind !== 'heading' || !words.title.test(foldText(part.text))) return []
    const section = sectionAt(parts, at)
    const steps = numberedSteps(section, words) ?? (part.level === 1 ? listedSteps(section, words) : onlyList(section))
    return steps === null ? [] : [{ name: part.text, steps }]
  })
  // Of several guides, none describes the whole page.
  const [guide, ...others] = guides
  return guide !== undefined && others.length === 0 ? guide : null
}

/** The steps below headings such as "Step 1: …"; null unless they are numbered from 1 without gaps. */
function numberedSteps(section: Part[], { step }: HowToWords): HowTo['steps'] | null {
  const found = section.flatMap((part, at) => {
    const match = part.kind === 'heading' ? step.exec(part.text) : null
    return match === null ? [] : [{ number: Number(match[1]), name: match[2]!.trim(), at }]
  })
  const steps = found.map(({ name, at }) => {
    const text = textOfParts(sectionAt(section, at))
    return { name: name === '' ? null : name, text: text === '' ? name : text }
  })
  return found.every(({ number }, index) => number === index + 1) && isCertain(steps) ? steps : null
}

/** The list below the heading of the steps, if the section has one such heading. */
function listedSteps(section: Part[], { steps }: HowToWords): HowTo['steps'] | null {
  const headings = section.flatMap((part, at) =>
    part.kind === 'heading' && steps.test(foldText(part.text)) ? [at] : []
  )
  return headings.length === 1 ? onlyList(sectionAt(section, headings[0]!)) : null
}

function onlyList(section: Part[]): HowTo['steps'] | null {
  const lists = section.filter((part) => part.kind === 'steps')
  const steps = (lists[0]?.steps ?? []).map((text) => ({ name: null, text }))
  return lists.length === 1 && isCertain(steps) ? steps : null
}

const isCertain = (steps: HowTo['steps']): boolean =>
  steps.length >= MIN_ITEMS && steps.length <= MAX_ITEMS && steps.every(({ text }) => text !== '')
