import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Real input that is not part of the repository, for stress tests alone: 509 posts of 18F,
 * published XSS payloads and naughty strings, and a product feed.
 */
const SHARED = path.resolve(import.meta.dirname, '../../../shared/data')

export const REAL_POSTS = path.join(SHARED, '18f-posts')
const PAYLOADS = path.join(SHARED, 'hostile/xss-payloads.txt')
const NAUGHTY = path.join(SHARED, 'hostile/naughty-strings.json')
const PRODUCTS = path.join(SHARED, 'dummyjson-products.json')

const skipUnless = (file: string, what: string): false | string => !existsSync(file) && `${what} not found at ${file}`

/** For the `skip` option of a test. */
export const skipWithout = {
  posts: skipUnless(REAL_POSTS, 'real posts'),
  payloads: skipUnless(PAYLOADS, 'published XSS payloads'),
  naughtyStrings: skipUnless(NAUGHTY, 'published naughty strings'),
  products: skipUnless(PRODUCTS, 'real product feed')
}

export const readXssPayloads = (): string[] =>
  readFileSync(PAYLOADS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

export const readNaughtyStrings = (): string[] => JSON.parse(readFileSync(NAUGHTY, 'utf8')) as string[]

export const readProducts = <Product>(): Product[] => JSON.parse(readFileSync(PRODUCTS, 'utf8')) as Product[]
