import type { CDPSession } from 'playwright'
import { isNavigationError } from './navigations.ts'
import * as addedTexts from './page/added-texts.ts'
import * as bounded from './page/bounded.ts'
import * as capture from './page/capture.ts'
import * as cells from './page/cells.ts'
import * as clipping from './page/clipping.ts'
import * as code from './page/code.ts'
import * as colors from './page/colors.ts'
import * as covering from './page/covering.ts'
import * as cssCheck from './page/css-check.ts'
import * as dom from './page/dom.ts'
import * as embeds from './page/embeds.ts'
import * as emphasis from './page/emphasis.ts'
import * as extents from './page/extents.ts'
import * as fineDetails from './page/fine-details.ts'
import * as flow from './page/flow.ts'
import * as foreignRoles from './page/foreign-roles.ts'
import * as freezing from './page/freezing.ts'
import * as furniture from './page/furniture.ts'
import * as gaps from './page/gaps.ts'
import * as glyphCheck from './page/glyph-check.ts'
import * as hidingCause from './page/hiding-cause.ts'
import * as images from './page/images.ts'
import * as layout from './page/layout.ts'
import * as links from './page/links.ts'
import * as loading from './page/loading.ts'
import * as looks from './page/looks.ts'
import * as matching from './page/matching.ts'
import * as ownElements from './page/own-elements.ts'
import * as pixelChecks from './page/pixel-checks.ts'
import * as referenceDrawing from './page/reference-drawing.ts'
import * as referenceInk from './page/reference-ink.ts'
import * as referenceLines from './page/reference-lines.ts'
import * as referencePictures from './page/reference-pictures.ts'
import * as referenceStyles from './page/reference-styles.ts'
import * as referenceText from './page/reference-text.ts'
import * as referenceWords from './page/reference-words.ts'
import * as references from './page/references.ts'
import * as roles from './page/roles.ts'
import * as structure from './page/structure.ts'
import * as textDamage from './page/text-damage.ts'
import * as textBlocks from './page/text-blocks.ts'
import * as visibility from './page/visibility.ts'

/**
 * The modules that run in the page. Their functions are sent as source text, in one bundle. So they
 * may only use each other and the globals of every page: no module-level variables, no other
 * imports. Names must be unique across the modules (test/ports/browser/isolated-world.test.ts).
 */
export const PAGE_MODULES = {
  addedTexts,
  bounded,
  capture,
  cells,
  clipping,
  code,
  colors,
  covering,
  cssCheck,
  dom,
  embeds,
  emphasis,
  extents,
  fineDetails,
  flow,
  foreignRoles,
  freezing,
  furniture,
  gaps,
  glyphCheck,
  hidingCause,
  images,
  layout,
  links,
  loading,
  looks,
  matching,
  ownElements,
  pixelChecks,
  referenceDrawing,
  referenceInk,
  referenceLines,
  referencePictures,
  referenceStyles,
  referenceText,
  referenceWords,
  references,
  roles,
  structure,
  textBlocks,
  textDamage,
  visibility
}

type PageFunctions = typeof addedTexts &
  typeof bounded &
  typeof capture &
  typeof cells &
  typeof clipping &
  typeof code &
  typeof colors &
  typeof covering &
  typeof cssCheck &
  typeof dom &
  typeof embeds &
  typeof emphasis &
  typeof foreignRoles &
  typeof freezing &
  typeof furniture &
  typeof gaps &
  typeof glyphCheck &
  typeof hidingCause &
  typeof images &
  typeof layout &
  typeof links &
  typeof loading &
  typeof looks &
  typeof matching &
  typeof ownElements &
  typeof pixelChecks &
  typeof referenceDrawing &
  typeof referenceInk &
  typeof referenceLines &
  typeof referencePictures &
  typeof referenceStyles &
  typeof referenceText &
  typeof referenceWords &
  typeof references &
  typeof roles &
  typeof structure &
  typeof textBlocks &
  typeof textDamage &
  typeof visibility

/** The global variable of the isolated world that holds the functions. */
export const GLOBAL = 'visualCheckFunctions'
/** Of a result, in characters. Pages of ordinary blogs have up to 200,000. */
const DEFAULT_MAX_SIZE = 1_000_000

/** The page is so large that its measurements cannot be sent. */
export class PageTooLargeError extends Error {
  override readonly name = 'PageTooLargeError'
}

/**
 * Defines the functions of all modules as properties of one global object. Throws if two modules
 * define the same name.
 */
export function createBundle(modules: Record<string, object> = PAGE_MODULES): string {
  const functions = Object.values(modules).flatMap((one) => Object.entries(one) as [string, unknown][])
  const sources = functions.map(([name, one]) =>
    /^(?:async )?function\b/.test(String(one)) ? String(one) : `const ${name} = ${String(one)}`
  )
  const names = functions.map(([name]) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new Error(`Two page modules define ${duplicate}`)
  return `globalThis.${GLOBAL} = (() => {\n${sources.join('\n')}\nreturn { ${names.join(', ')} }\n})()`
}

const BUNDLE = createBundle()

/**
 * A JavaScript world of our own in a page: the same document, but separate globals, which the page's
 * scripts cannot reach.
 */
export interface IsolatedWorld {
  /**
   * Calls a function of `PAGE_MODULES`. Arguments and result must be JSON. The result is limited by
   * `limitResult` in the page; rejects with a PageTooLargeError if it is larger than `maxSize`.
   */
  call: <N extends keyof PageFunctions>(
    name: N,
    ...args: Parameters<PageFunctions[N]>
  ) => Promise<Awaited<ReturnType<PageFunctions[N]>>>
  /** Evaluates other code, such as a library. The result is limited in the same way. */
  run: <T>(expression: string) => Promise<T>
}

/**
 * Opens the isolated world of the current document and defines the page functions in it, unless they
 * are defined already. A world ends with its document: open another one after a navigation.
 * `maxSize`: of results, in characters.
 */
export async function openIsolatedWorld(
  cdp: CDPSession,
  { maxSize = DEFAULT_MAX_SIZE }: { maxSize?: number } = {}
): Promise<IsolatedWorld> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'visual-check'
  })
  async function evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails === undefined) return result.value
    const { text, exception } = exceptionDetails
    if (/^RangeError: The result is too large\./.test(exception?.description ?? '')) {
      throw new PageTooLargeError('The measurements of the page are too large.')
    }
    throw new Error(`Error in the page: ${exception?.description ?? text}`)
  }
  // An own property: an element with this id would only be an inherited one.
  if ((await evaluate(`Object.hasOwn(globalThis, '${GLOBAL}')`)) !== true) await evaluate(`${BUNDLE}; null`)
  const run = async (expression: string): Promise<any> =>
    await evaluate(`(async () => ${GLOBAL}.limitResult(await (${expression}), ${maxSize}))()`)
  return {
    run,
    call: async (name, ...args) => await run(`${GLOBAL}.${name}(...${JSON.stringify(args)})`)
  }
}

/**
 * The isolated world of the document that the page shows at the time of a call. It is opened once for each document,
 * and again after a navigation.
 */
export function followDocument(cdp: CDPSession): Pick<IsolatedWorld, 'call'> {
  let world: IsolatedWorld | null = null
  const call: IsolatedWorld['call'] = async (name, ...args): Promise<any> => {
    try {
      if (world !== null) return await world.call(name, ...args)
    } catch (error) {
      if (!isNavigationError(error)) throw error
    }
    world = await openIsolatedWorld(cdp)
    return await world.call(name, ...args)
  }
  return { call }
}
