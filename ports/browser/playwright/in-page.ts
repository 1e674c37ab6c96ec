import type { CDPSession } from 'playwright'
import * as article from './page/article.ts'
import * as clipping from './page/clipping.ts'
import * as colors from './page/colors.ts'
import * as contrast from './page/contrast.ts'
import * as covering from './page/covering.ts'
import * as cssInForce from './page/css-in-force.ts'
import * as doubting from './page/doubting.ts'
import * as frame from './page/frame.ts'
import * as freezing from './page/freezing.ts'
import * as gathering from './page/gathering.ts'
import * as images from './page/images.ts'
import * as matching from './page/matching.ts'
import * as places from './page/places.ts'
import * as scrolling from './page/scrolling.ts'
import * as textBlocks from './page/text-blocks.ts'
import * as textFolding from './page/text-folding.ts'
import * as tree from './page/tree.ts'
import * as typesetting from './page/typesetting.ts'
import * as visibility from './page/visibility.ts'
import * as waiting from './page/waiting.ts'

/**
 * What may be called in the page: functions that use nothing but each other and what every page
 * has.
 */
const FUNCTIONS = {
  ...article,
  ...clipping,
  ...colors,
  ...contrast,
  ...covering,
  ...cssInForce,
  ...doubting,
  ...frame,
  ...freezing,
  ...gathering,
  ...images,
  ...matching,
  ...places,
  ...scrolling,
  ...textBlocks,
  ...textFolding,
  ...tree,
  ...typesetting,
  ...visibility,
  ...waiting
}
/**
 * Their own text, one after the other: it is sent to the page, so none may lean on anything that is
 * not there.
 */
const SOURCE = Object.entries(FUNCTIONS)
  .map(([name, one]) => (/^(?:async )?function\b/.test(String(one)) ? String(one) : `const ${name} = ${String(one)}`))
  .join('\n')

type Callable = typeof FUNCTIONS

/**
 * The page's scripts cannot be met in this world: it has the same document, and globals of its own.
 */
export interface InPage {
  call: <N extends keyof Callable>(
    name: N,
    ...args: Parameters<Callable[N]>
  ) => Promise<Awaited<ReturnType<Callable[N]>>>
  /** Runs other code there, such as that of a library. */
  run: <T>(expression: string) => Promise<T>
}

/**
 * Opens a world of our own in the page that is there now; after a navigation another must be
 * opened.
 */
export async function openInPage(cdp: CDPSession): Promise<InPage> {
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
      throw new Error(`In the page: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    }
    return result.value as T
  }
  return {
    run,
    call: async (name, ...args) =>
      await run<any>(`(() => {\n${SOURCE}\nreturn ${name}(...${JSON.stringify(args)}) })()`)
  }
}
