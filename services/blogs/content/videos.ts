import { hasLongHost } from '../../../schemas/formats.ts'
import type { CleanContext } from './clean-tree.ts'
import { attributeOf, setAttributes, setChildren, type Element } from './tree.ts'

const YOUTUBE_HOSTS: ReadonlySet<string> = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com'
])

/** The embed URL of a YouTube (without cookies) or Vimeo video; null for all other URLs. */
export function videoUrl(src: string): string | null {
  const address = /^\/\//.test(src) ? `https:${src}` : src
  if (hasLongHost(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.hostname === 'youtu.be') return youtube(url.pathname.slice(1), url)
  if (YOUTUBE_HOSTS.has(url.hostname)) {
    return youtube(
      url.pathname === '/watch'
        ? (url.searchParams.get('v') ?? '')
        : (/^\/(?:embed|shorts|live)\/([^/]+)$/.exec(url.pathname)?.[1] ?? ''),
      url
    )
  }
  if (url.hostname === 'player.vimeo.com' || url.hostname === 'vimeo.com') return vimeo(url)
  return null
}

function youtube(id: string, url: URL): string | null {
  if (!/^[\w-]{6,20}$/.test(id)) return null
  const start = /^\d{1,6}/.exec(url.searchParams.get('start') ?? url.searchParams.get('t') ?? '')?.[0]
  return `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`
}

function vimeo(url: URL): string | null {
  const [, id, pathHash] = /^(?:\/video)?\/(\d{1,12})(?:\/([\da-f]{6,20}))?$/.exec(url.pathname) ?? []
  const hash = pathHash ?? /^[\da-f]{6,20}$/.exec(url.searchParams.get('h') ?? '')?.[0]
  return id === undefined ? null : `https://player.vimeo.com/video/${id}?${hash ? `h=${hash}&` : ''}dnt=1`
}

/** Sets sandbox and loading of an allowed frame; returns false for all others, with a warning. */
export function cleanFrame(frame: Element, filtered: Record<string, string>, { warn }: CleanContext): boolean {
  const src = videoUrl((attributeOf(frame, 'src') ?? '').trim())
  if (src === null) {
    warn('an iframe that is not a YouTube or Vimeo video was removed')
    return false
  }
  const classes = new Set([...(filtered.class ?? '').split(' ').filter(Boolean), 'svc-video'])
  setChildren(frame, [])
  setAttributes(frame, {
    ...filtered,
    class: [...classes].join(' '),
    src,
    title: filtered.title ?? 'Video',
    width: filtered.width ?? '560',
    height: filtered.height ?? '315',
    loading: 'lazy',
    sandbox: 'allow-scripts allow-same-origin allow-presentation',
    allow: 'fullscreen; picture-in-picture; encrypted-media',
    allowfullscreen: '',
    referrerpolicy: 'strict-origin-when-cross-origin'
  })
  return true
}
