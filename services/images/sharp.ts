import type sharpFactory from 'sharp'

export type SharpFactory = typeof sharpFactory

/**
 * The decoders that are let in: those of the formats that are taken, and SVG for the cards that are
 * drawn here.
 */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}`)

let loading: Promise<SharpFactory> | null = null

/**
 * The picture library, loaded with its native parts by the first call, so that a start does not
 * wait for it.
 * Every other decoder is shut for the whole process (sharp's own page on security advises it), each
 * job runs on one thread, because
 * several jobs run side by side, and nothing is kept between jobs, because no two are alike.
 * @throws what the loader throws, when the machine lacks the native parts; the next call tries
 * again.
 */
export function loadSharp(): Promise<SharpFactory> {
  loading ??= load().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function load(): Promise<SharpFactory> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
