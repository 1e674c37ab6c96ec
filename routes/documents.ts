import type { FastifyReply } from 'fastify'
import { createDocument, type Document } from '../lib/http/document.ts'
import { sharedResult } from '../lib/shared-result.ts'

/** Makes the content of a document. */
export type MakeDocument = () => string | Buffer | Promise<string | Buffer>

/**
 * Documents that are the same for all readers, by name. Each is made for its first reader. Names must come from a
 * fixed list, not from requests: documents stay in memory.
 */
export function createDocuments() {
  const documents = new Map<string, Document>()
  /** If one fails, the next reader tries again. */
  const making = new Map<string, Promise<Document>>()

  async function make(name: string, makeContent: MakeDocument): Promise<Document> {
    try {
      const document = createDocument(await makeContent())
      documents.set(name, document)
      return document
    } finally {
      making.delete(name)
    }
  }

  return async (name: string, makeContent: MakeDocument): Promise<Document> => {
    const known = documents.get(name)
    if (known !== undefined) return known
    const document = making.get(name) ?? make(name, makeContent)
    making.set(name, document)
    return await sharedResult(document)
  }
}

/** Sends a document, compressed if the client accepts that. The caller sets its media type and its Cache-Control. */
export function sendDocument(reply: FastifyReply, { body, etag, compressor }: Document): FastifyReply {
  reply.compressor = compressor
  return reply.header('etag', etag).send(body)
}
