import type { AccountRequest, Client } from '../client.ts'

/** What a kind of requests is made with. */
export interface Setup {
  /** Requests of the account before the attack. */
  client: Client
  /** Numbers in [0, 1) that are the same for the same seed. */
  random: () => number
  /** The size of what is created before the attack: 1 as published. */
  scale: number
}

/** A kind of requests of the first account. */
export interface Kind {
  /** What the table of results calls it. */
  title: string
  /** Creates what the requests need, and returns what makes the request with an index, of at most 1 MB. */
  prepare: (setup: Setup) => Next | Promise<Next>
}

export type Next = (index: number) => AccountRequest

/** Maximum size of the body of a request, in bytes. */
export const MAX_BYTES = 1_000_000

export const post = (path: string, body: AccountRequest['body'], type?: string): AccountRequest => ({
  method: 'POST',
  path,
  body,
  ...(type === undefined ? {} : { headers: { 'content-type': type } })
})

/** A request that creates a published blog. */
export const postBlog = (title: string, markdown: string): AccountRequest =>
  post('/api/v1/blogs', { projectId: 'site', title, markdown, status: 'published' })

/** A request that creates or changes products. */
export const postBatch = (products: object[]): AccountRequest =>
  post('/api/v1/products/batch', { projectId: 'shop', products })

/** Repeats a text up to this number of characters. */
export const fill = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)

/** An array of `length` elements by their index. */
export const times = <Element>(length: number, make: (index: number) => Element): Element[] =>
  Array.from({ length }, (_, index) => make(index))
