import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { drawSitePictures } from './pictures.ts'

const { resolve: resolveModule } = createRequire(import.meta.url)

export interface ServedPage {
  status: number
  headers: Record<string, string>
  delayMs: number
  body: string | Buffer
}

/** `path` has no query. Null: the site has no such page. */
export type FindPage = (path: string) => ServedPage | null

export interface SiteServer {
  origin: string
  /** Pages are found only from here on, because posts are published under the origin of the site. */
  setPages: (find: FindPage) => void
  close: () => Promise<void>
}

/** Tailwind's build replaces its own function by the second argument. */
const THEME_FUNCTION = /--theme\(\s*--[\w-]+,\s*([^;]+?)\s*\);?/g
/** An icon font without letters. */
const ICON_FONT = 'foundation-sites/docs/assets/fonts/zurb-webfont.woff'

/**
 * Serves pages, the pictures of sites, style sheets of packages, and what misbehaves: `/slow/MS/…`
 * responds late, `/never/…` does not respond, `/loop/…` redirects to itself, `/reset/…` closes the connection,
 * `/status/N/…` responds with that status; `/cdn/…` passes on the picture whose encoded URL it names. All
 * other URLs of sites respond with 404.
 */
export async function startSiteServer(): Promise<SiteServer> {
  const pictures = await drawSitePictures()
  let findPage: FindPage = () => null

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const [, kind = '', argument = ''] = pathname.split('/')
    const send = (status: number, type: string, body: string | Buffer): void => {
      response.writeHead(status, { 'content-type': type }).end(body)
    }
    const picture = pictures.get(pathname)
    const page = findPage(pathname)
    if (picture !== undefined) send(200, 'image/jpeg', picture)
    else if (page !== null) {
      if (page.delayMs > 0) await later(page.delayMs, response)
      response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.body)
    } else if (kind === 'packages') {
      const css = await readFile(resolveModule(pathname.slice('/packages/'.length)), 'utf8')
      send(200, 'text/css; charset=utf-8', css.replace(THEME_FUNCTION, '$1;'))
    } else if (kind === 'cdn') {
      const source = await fetch(Buffer.from(argument, 'base64url').toString())
      send(source.status, source.headers.get('content-type') ?? 'image/jpeg', Buffer.from(await source.arrayBuffer()))
    } else if (kind === 'player') send(200, 'text/html; charset=utf-8', PLAYER)
    else if (kind === 'fonts') send(200, 'font/woff', await readFile(resolveModule(ICON_FONT)))
    else if (kind === 'slow') {
      await later(Number(argument), response)
      await sendSlow(pathname, send)
    } else if (kind === 'loop') response.writeHead(302, { location: `${pathname}x` }).end()
    else if (kind === 'reset') request.socket.destroy()
    else if (kind === 'status') send(Number(argument), 'text/plain', 'The server has an error.')
    else if (kind === 'robots.txt') send(200, 'text/plain', 'User-agent: *\nAllow: /\n')
    else if (kind !== 'never') send(404, 'text/html; charset=utf-8', '<!doctype html><title>Not found</title>')
  }

  async function sendSlow(path: string, send: (status: number, type: string, body: string | Buffer) => void) {
    if (path.endsWith('.woff')) send(200, 'font/woff', await readFile(resolveModule(ICON_FONT)))
    else if (path.endsWith('.css')) send(200, 'text/css', '.late-style { color: inherit }')
    else if (path.endsWith('.js')) send(200, 'text/javascript', 'window.lateScript = true')
    else send(200, 'image/jpeg', pictures.get('/assets/banner.jpg')!)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setPages: (find) => {
      findPage = find
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** A timer that ends with its response, so that nothing is left running. */
const later = async (ms: number, response: ServerResponse): Promise<void> => {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const PLAYER =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Video</title>' +
  '<style>body{margin:0;height:100vh;display:grid;place-items:center;background:#20242c;color:#fff}</style>' +
  '<button type="button">Play</button>'
