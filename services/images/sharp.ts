import type sharpFactory from 'sharp'

export type SharpFactory = typeof sharpFactory

/** Allowed decoders: the accepted formats, and SVG for generated cards. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Svg'].map((name) => `VipsForeignLoad${name}`)

let loading: Promise<SharpFactory> | null = null

/**
 * Loads sharp with its native parts on first use, so that startup does not wait for it. All other
 * decoders are blocked for the whole process (see sharp's security documentation). Each job runs on
 * one thread, because several run in parallel; nothing is cached between jobs. Throws the loader's
 * error when native parts are missing; the next call tries again.
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
