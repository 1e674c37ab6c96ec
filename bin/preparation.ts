import type { IncomingMessage, Server } from 'node:http'
import { runWhenIdle } from '../lib/idle-steps.ts'
import { clientLoadingSteps } from '../ports/outbound/open.ts'
import { loadParse5 } from '../services/blogs/content/lazy-libraries.ts'

/**
 * Once the service is used, compiles the validators and serializers that no request has needed yet, and loads the
 * parser of product descriptions and the client for webhooks, while the process has time. The first ones take up to
 * 100 ms, in which other requests would wait. A process without requests saves the memory.
 */
export function prepareAfterFirstRequest(server: Server, preparations: Iterable<() => void>): void {
  const onRequest = ({ url = '' }: IncomingMessage): void => {
    if (!url.startsWith('/api/')) return
    server.off('request', onRequest)
    server.once('close', runWhenIdle([...preparations, loadParse5, ...clientLoadingSteps()]))
  }
  server.on('request', onRequest)
}
