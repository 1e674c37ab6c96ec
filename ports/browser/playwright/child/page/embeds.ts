/// <reference lib="dom" />
import type { EmbedSnapshot } from '../../../port/media-snapshot.ts'
import { locate, queryAllDeep } from './dom.ts'
import type { Article } from './matching.ts'
import { opacityOf } from './visibility.ts'

/**
 * The videos of the blog in the page. A site may put a picture, a button or a question about consent in
 * place of a frame until a reader clicks: some element then names the video. At most 20.
 */
export function captureEmbeds(own: Element, { root, frame }: Article): EmbedSnapshot[] {
  const MAX_ELEMENTS = 8_000
  const wanted = [...own.querySelectorAll('iframe[src]')].slice(0, 20)
  if (wanted.length === 0) return []
  const inPage = queryAllDeep('*', frame).slice(0, MAX_ELEMENTS)
  return wanted.map((embed) => {
    const expected = embed.getAttribute('src') ?? ''
    const id = videoIdOf(expected)
    const naming = inPage.filter(
      (element) => id !== '' && [...element.attributes].some(({ value }) => value.includes(id))
    )
    const player = naming.find(({ localName }) => localName === 'iframe')
    const found = player ?? naming[0]
    if (found === undefined) {
      return { ...locate(root), expected, kind: 'missing', src: '', width: 0, height: 0, visible: false }
    }
    const { width, height } = found.getBoundingClientRect()
    return {
      ...locate(found),
      expected,
      kind: player === undefined ? 'placeholder' : 'frame',
      src: ((found as Partial<HTMLIFrameElement>).src ?? '').slice(0, 500),
      width: Math.round(width),
      height: Math.round(height),
      visible: found.checkVisibility({ visibilityProperty: true }) && opacityOf(found) >= 0.15
    }
  })
}

/** What identifies a video in an address of YouTube or Vimeo: the last part of its path. */
export function videoIdOf(address: string): string {
  const id = URL.canParse(address) ? (new URL(address).pathname.split('/').filter(Boolean).at(-1) ?? '') : ''
  return id.length >= 5 ? id : ''
}
