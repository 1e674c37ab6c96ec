import { mapConcurrently } from '../../../lib/async.ts'
import { createPost } from '../../growth/content.ts'
import { fill, postBlog, times, type Kind, type Setup } from './kind.ts'

/** Random words of a blog, and the letters of each of the longest ones. */
const WORDS = 5_000
const LONG_WORD = 63
/** Letters of three and of four bytes, of scripts whose words are not divided: Georgian and Gothic. */
const GEORGIAN = { first: 0x10d0, count: 33 }
const GOTHIC = { first: 0x10330, count: 26 }
/** Every eighth word is Gothic: with more of them, a blog has more than 1 MB. */
const GOTHIC_EVERY = 8
const LANGUAGES = 'ar bg cs da de el en es et fi fr he hu id it ja ko lt lv nl pl pt ro ru sv tr'.split(' ')
const REGIONS = 'AT AU BE BR CA CH CN DE DK ES FI FR GB IE IN IT JP MX US'.split(' ')
/** 494 translations. */
const LOCALES = LANGUAGES.flatMap((language) => REGIONS.map((region) => `${language}-${region}`))
const LISTED = 300
/** Blogs whose words begin with all letters. */
const RANDOM_BLOGS = 600
const RANDOM_WORDS = 300
const SEARCHED_LETTERS = 24
const AT_ONCE = 4

const randomInteger = (random: () => number, end: number): number => Math.floor(random() * end)

const randomWord = (random: () => number): string => randomInteger(random, 36 ** 8).toString(36)

function longWord(random: () => number, index: number): string {
  const { first, count } = index % GOTHIC_EVERY === 0 ? GOTHIC : GEORGIAN
  return String.fromCodePoint(...times(LONG_WORD, () => first + randomInteger(random, count)))
}

/** Creates ordinary published blogs, and returns their ids. */
async function createBlogs({ client, scale }: Setup): Promise<string[]> {
  return await mapConcurrently(times(Math.ceil(LISTED * scale), Number), AT_ONCE, async (index) => {
    const body = createPost(index, 'site')
    return (await client.fetchJson<{ id: string }>({ method: 'POST', path: '/api/v1/blogs', body })).id
  })
}

const QUERIES = ['word%d', 'word%d subject%d', 'w', 'subject%dw%d word%d', '"word%d word%d"', 'zzz%d']

/** Kinds of requests about blogs, by name. */
export const BLOG_KINDS: Record<string, Kind> = {
  'large-blogs': {
    title: 'blogs of 1 MB of Markdown',
    prepare() {
      const markdown = fill(times(200, (index) => createPost(index, 'site').markdown!).join('\n\n'), 990_000)
      return (index) => postBlog(`Large ${index}`, markdown)
    }
  },
  'random-words': {
    title: 'blogs of 5,000 random words (45 KB)',
    prepare:
      ({ random }) =>
      (index) =>
        postBlog(`Words ${index}`, times(WORDS, () => randomWord(random)).join(' '))
  },
  'long-words': {
    title: 'blogs of 5,000 words of 63 letters of three or four bytes (990 KB)',
    prepare:
      ({ random }) =>
      (index) =>
        postBlog(`Long ${index}`, times(WORDS, (word) => longWord(random, word)).join(' '))
  },
  'short-blogs': { title: 'short blogs', prepare: () => (index) => postBlog(`Short ${index}`, 'A short post.') },
  translations: {
    title: 'changes of titles in a group of 494 translations',
    async prepare({ client, scale }) {
      const locales = LOCALES.slice(0, Math.ceil(LOCALES.length * scale))
      const ids = await mapConcurrently(locales, AT_ONCE, async (locale) => {
        const blog = { projectId: 'site', title: `A title ${locale}`, markdown: 'Text.', status: 'published' }
        const body = { ...blog, locale, translationKey: 'group' }
        return (await client.fetchJson<{ id: string }>({ method: 'POST', path: '/api/v1/blogs', body })).id
      })
      return (index) => ({
        method: 'PATCH',
        path: `/api/v1/blogs/${ids[index % ids.length]}`,
        body: { title: `Another title ${index}` }
      })
    }
  },
  lists: {
    title: 'pages of 100 of 300 blogs with all content',
    async prepare(setup) {
      await createBlogs(setup)
      return (index) => ({ method: 'GET', path: `/api/v1/blogs?include=content&pageSize=100&page=${1 + (index % 3)}` })
    }
  },
  searches: {
    title: 'searches in 300 blogs: many words, short prefixes, quotes',
    async prepare(setup) {
      await createBlogs(setup)
      const { random } = setup
      return (index) => {
        const query = QUERIES[index % QUERIES.length]!.replaceAll('%d', () => String(randomInteger(random, 400)))
        return { method: 'GET', path: `/api/v1/blogs?pageSize=100&q=${encodeURIComponent(query)}` }
      }
    }
  },
  letters: {
    title: 'searches for 24 letters in 600 blogs of 300 random words',
    async prepare({ client, random, scale }) {
      await mapConcurrently(times(Math.ceil(RANDOM_BLOGS * scale), Number), AT_ONCE, async (index) => {
        await client.fetchJson(postBlog(`Random ${index}`, times(RANDOM_WORDS, () => randomWord(random)).join(' ')))
      })
      // Different ones, because responses are cached.
      return () => {
        const letters = times(SEARCHED_LETTERS, () => randomInteger(random, 36).toString(36))
        return { method: 'GET', path: `/api/v1/blogs?pageSize=10&q=${encodeURIComponent(letters.join(' '))}` }
      }
    }
  }
}
