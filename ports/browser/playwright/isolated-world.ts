import type { CDPSession } from 'playwright'
import * as capture from './page/capture.ts'
import * as clipping from './page/clipping.ts'
import * as colors from './page/colors.ts'
import * as covering from './page/covering.ts'
import * as cssCheck from './page/css-check.ts'
import * as dom from './page/dom.ts'
import * as images from './page/images.ts'
import * as layout from './page/layout.ts'
import * as loading from './page/loading.ts'
import * as matching from './page/matching.ts'
import * as pixelChecks from './page/pixel-checks.ts'
import * as textBlocks from './page/text-blocks.ts'
import * as visibility from './page/visibility.ts'

/**
 * The modules that run in the page. Their functions are sent as source text, in one bundle. So they
 * may only use each other and the globals of every page: no module-level variables, no other
 * imports. Names must be unique across the modules (test/ports/browser/isolated-world.test.ts).
 */
export const PAGE_MODULES = {
  capture,
  clipping,
  colors,
  covering,
  cssCheck,
  dom,
  images,
  layout,
  loading,
  matching,
  pixelChecks,
  textBlocks,
  visibility
}

type PageFunctions = typeof capture &
  typeof clipping &
  typeof colors &
  typeof covering &
  typeof cssCheck &
  typeof dom &
  typeof images &
  typeof layout &
  typeof loading &
  typeof matching &
  typeof pixelChecks &
  typeof textBlocks &
  typeof visibility

/** The global variable of the isolated world that holds the functions. */
const GLOBAL = 'visualCheckFunctions'

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
  /** Calls a function of `PAGE_MODULES`. Arguments and result must be JSON. */
  call: <N extends keyof PageFunctions>(
    name: N,
    ...args: Parameters<PageFunctions[N]>
  ) => Promise<Awaited<ReturnType<PageFunctions[N]>>>
  /** Evaluates other code, such as a library. */
  run: <T>(expression: string) => Promise<T>
}

/**
 * Opens the isolated world of the current document and defines the page functions in it, unless they
 * are defined already. A world ends with its document: open another one after a navigation.
 */
export async function openIsolatedWorld(cdp: CDPSession): Promise<IsolatedWorld> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'visual-check'
  })
  async function run<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails) {
      throw new Error(`Error in the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    }
    return result.value as T
  }
  // An own property: an element with this id would only be an inherited one.
  if (!(await run<boolean>(`Object.hasOwn(globalThis, '${GLOBAL}')`))) await run(`${BUNDLE}; null`)
  return {
    run,
    call: async (name, ...args) => await run<any>(`${GLOBAL}.${name}(...${JSON.stringify(args)})`)
  }
}
