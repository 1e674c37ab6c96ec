import type { FastifyReply } from 'fastify'
import { createDocument, type Document } from '../lib/http/document.ts'

/** Makes the content of a document. */
export type MakeDocument = () => string | Buffer | Promise<string | Buffer>

/**
 * Documents that are the same for all readers, by name. Each is made for its first reader. Names must come from a
 * fixed list, not from requests: documents stay in memory.
 */
export function createDocuments() {
  const documents = new Map<string, Promise<Document>>()

  async function make(name: string, makeContent: MakeDocument): Promise<Document> {
    try {
      return createDocument(await makeContent())
    } catch (error) {
      documents.delete(name) // The next reader tries again.
      throw error
    }
  }

  return (name: string, makeContent: MakeDocument): Promise<Document> => {
    const document = documents.get(name) ?? make(name, makeContent)
    documents.set(name, document)
    return document
  }
}

/** Sends a document, compressed if the client accepts that. The caller sets its media type and its Cache-Control. */
export function sendDocument(reply: FastifyReply, { body, etag, compressor }: Document): FastifyReply {
  reply.compressor = compressor
  return reply.header('etag', etag).send(body)
}
