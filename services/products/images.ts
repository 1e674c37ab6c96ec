import { setImmediate } from 'node:timers/promises'
import type { OutboundResponse, Outbound } from '../../ports/outbound/port.ts'
import type { ProductWarning } from '../../schemas/product.ts'
import { isHeaderComplete, readDimensions } from '../images/dimensions.ts'
import { detectType } from '../images/inspect.ts'
import type { Queue, RunResult } from '../../ports/queue/port.ts'
import type { ImageCheck, ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { processLoad } from '../account-load.ts'
import { createLeases } from '../leases.ts'
import { projectKey } from './follow-up-jobs.ts'

/**
 * Image requirements of shops and of Google Merchant Center:
 * https://support.google.com/merchants/response/6324350
 */
const MIN_PIXELS = 100
const MAX_MEGAPIXELS = 64
const MAX_BYTES = 16 * 1024 * 1024

const warn = (code: string, message: string): ProductWarning => ({ code, message })

/**
 * Returns the warning for an image, based on the response from its URL; null if the image is fine.
 * The first bytes of a long body are enough.
 */
export function imageWarning(response: OutboundResponse): ProductWarning | null {
  if (!response.ok) return fetchWarning(response)
  const { status, headers, body } = response
  if (status < 200 || status > 299) return warn('picture_missing', `imageUrl returned HTTP ${status}.`)
  const bytes = Number(headers['content-length'] ?? body.length)
  if (bytes > MAX_BYTES) {
    return warn('picture_too_large', `The image has ${bytes} bytes. Shops accept at most 16 MB.`)
  }
  const detected = detectType(body)
  if ('found' in detected) return unreadable(`it is ${detected.found}`)
  const size = readDimensions(body, detected.type)
  if (size === null) return unreadable('the file is damaged')
  const { width, height } = size
  if (width < MIN_PIXELS || height < MIN_PIXELS) {
    return warn(
      'picture_too_small',
      `The image is ${width} × ${height} pixels. Shops require at least ${MIN_PIXELS} × ${MIN_PIXELS}.`
    )
  }
  if (width * height > MAX_MEGAPIXELS * 1_000_000) {
    return warn(
      'picture_too_large',
      `The image is ${width} × ${height} pixels. Shops accept at most ${MAX_MEGAPIXELS} megapixels.`
    )
  }
  return null
}

const unreadable = (reason: string): ProductWarning =>
  warn('picture_unreadable', `imageUrl is not a JPEG, PNG, WebP, AVIF or GIF image: ${reason}.`)

function fetchWarning({ error, status, detail }: Extract<OutboundResponse, { ok: false }>): ProductWarning {
  if (error === 'blocked') {
    return warn('picture_refused', 'imageUrl points to an address that this service is not allowed to request.')
  }
  if (error === 'redirect') {
    return warn(
      'picture_redirected',
      `imageUrl returned a redirect (HTTP ${status}). Use the URL that it redirects to.`
    )
  }
  return warn('picture_unreachable', `imageUrl could not be fetched: ${detail}`)
}

/** Whether the warning for an image is the same for any body with this beginning. */
export function isDecided(beginning: Buffer, status: number): boolean {
  if (status < 200 || status > 299) return true
  if (beginning.length < TYPE_BYTES) return false
  const detected = detectType(beginning)
  return 'found' in detected || isHeaderComplete(beginning, detected.type)
}

/** Products checked together; their images are fetched concurrently. */
const BATCH_SIZE = 20
/** Enough bytes to read the dimensions in every supported format. */
const HEAD_BYTES = 256 * 1024
/** The bytes that the detection of the type looks at. */
const TYPE_BYTES = 1024
/** How long the result for a URL is reused. Variants often share images. */
const CACHE_TTL_MS = 10 * 60_000
const CACHE_SIZE = 5000

/** After a batch, accounts that used less have precedence for so long, in milliseconds. */
const MAX_GIVE_WAY_MS = 200

/** Result for a URL; undefined if the check was aborted. */
type CheckResult = ProductWarning | null | undefined

export type ProductImages = ReturnType<typeof createProductImages>

/**
 * Checks over SSRF-safe fetch that product images exist. A missing image only adds a warning to the
 * product.
 */
export function createProductImages({ store, queue, outbound }: { store: Store; queue: Queue; outbound: Outbound }) {
  const { withLease, leaseMs } = createLeases({ store })
  const cache = new Map<string, { at: number; result: Promise<CheckResult> }>()

  async function checkUrl(url: string, signal: AbortSignal): Promise<CheckResult> {
    const response = await outbound.send({
      url,
      method: 'GET',
      headers: { accept: 'image/*' },
      maxBytes: HEAD_BYTES,
      isEnough: isDecided,
      signal
    })
    if (!signal.aborted) return imageWarning(response)
    cache.delete(url)
    return undefined
  }

  /** Returns null for a valid image and when the signal is aborted. */
  async function findWarning(url: string, signal: AbortSignal): Promise<ProductWarning | null> {
    while (!signal.aborted) {
      let cached = cache.get(url)
      if (cached === undefined || Date.now() - cached.at >= CACHE_TTL_MS) {
        cached = { at: Date.now(), result: checkUrl(url, signal) }
        cache.set(url, cached)
        if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!)
      }
      const result = await cached.result
      // Another caller aborted the shared check: check again.
      if (result !== undefined) return result
    }
    return null
  }

  async function checkProduct(product: ProductRecord, signal: AbortSignal): Promise<ProductRecord> {
    const url = product.imageUrl
    const now = () => new Date().toISOString()
    const imageCheck: ImageCheck | null =
      url === null ? null : { url, warning: await findWarning(url, signal), checkedAt: now() }
    const changed = (imageCheck?.warning?.code ?? null) !== (product.imageCheck?.warning?.code ?? null)
    return {
      ...product,
      imageCheck,
      imageCheckPendingSince: null,
      version: product.version + 1,
      updatedAt: changed ? now() : product.updatedAt
    }
  }

  /** Returns whether all pending images were checked. */
  async function checkPending(
    project: ProjectRef,
    { signal, isSliceOver }: { signal: AbortSignal; isSliceOver: () => boolean }
  ): Promise<boolean> {
    do {
      const due = await store.products.pending(project, 'imageCheck', BATCH_SIZE)
      if (due.length === 0) return true
      // Requests that begin together go on together, and each of their steps would make a long turn of the event loop.
      const after = await Promise.all(
        due.map(async (product, index) => {
          for (let turn = 0; turn < index; turn++) await setImmediate()
          return await checkProduct(product, signal)
        })
      )
      if (signal.aborted) return false
      // Products changed in the meantime stay pending for the next round.
      await store.products.saveMany(after.map((product) => ({ product, ifVersion: product.version - 1 })))
      await setImmediate()
      await processLoad.giveWay(project.accountId, MAX_GIVE_WAY_MS)
    } while (!signal.aborted && !isSliceOver())
    return false
  }

  return {
    /**
     * Checks the pending images of a project until all are checked, the slice is over (`continue`)
     * or the signal is aborted. If another process holds the lease, a delayed job is queued instead.
     */
    async check(
      { accountId, projectId }: ProjectRef,
      signal: AbortSignal,
      isSliceOver = () => false
    ): Promise<RunResult> {
      const project = { accountId, projectId }
      let isDone = true
      const done = await withLease({
        name: `pictures ${projectKey(project)}`,
        signal,
        async work(signal) {
          isDone = await checkPending(project, { signal, isSliceOver })
        },
        hasMore: async () => isDone && (await store.products.pending(project, 'imageCheck', 1)).length > 0
      })
      if (!done) {
        await queue.add('check-product-images', project, { key: `${projectKey(project)} later`, delayMs: leaseMs })
      }
      return isDone ? undefined : 'continue'
    }
  }
}
