import t from 'tap'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { client, startApp } from '../helper.ts'
import { small } from '../profile.ts'
import { SEED } from '../seed.ts'

const STEPS = small ? 120 : 10_000
/** Few slugs for many blogs, so that they meet all the time. */
const SLUGS = Array.from({ length: 40 }, (_, n) => `address-${n}`)
const MOST_BLOGS = 24
const ACCOUNT = 'acme'
const writer = { accountId: ACCOUNT, projectIds: null }

/**
 * What the oracle knows of a blog: its slug, whether that was public, and what it had before in
 * public and gave up at which step.
 */
interface Known {
  id: string
  slug: string
  state: 'draft' | 'published' | 'unpublished' | 'deleted'
  slugWasPublic: boolean
  left: Map<string, number>
}

/** The rules in the plainest words: no database, no code of the product. */
function createOracle() {
  const blogs: Known[] = []
  const everPublic = new Set<string>()

  return {
    everPublic,
    living: () => blogs.filter(({ state }) => state !== 'deleted'),
    isTaken: (slug: string) => blogs.some((blog) => blog.state !== 'deleted' && blog.slug === slug),
    created(id: string, slug: string, isPublic: boolean) {
      blogs.push({ id, slug, state: isPublic ? 'published' : 'draft', slugWasPublic: isPublic, left: new Map() })
      if (isPublic) everPublic.add(slug)
    },
    renamed(blog: Known, slug: string, step: number) {
      if (blog.slugWasPublic) blog.left.set(blog.slug, step)
      blog.slug = slug
      blog.slugWasPublic = false
      if (blog.state === 'published') this.published(blog)
    },
    published(blog: Known) {
      blog.state = 'published'
      blog.slugWasPublic = true
      blog.left.delete(blog.slug)
      everPublic.add(blog.slug)
    },
    unpublished(blog: Known) {
      blog.state = 'unpublished'
    },
    deleted(blog: Known, step: number) {
      if (blog.slugWasPublic) blog.left.set(blog.slug, step)
      blog.state = 'deleted'
    },
    /** What the address must answer. */
    answer(slug: string): string {
      const holder = blogs.find((blog) => blog.slug === slug && blog.state === 'published')
      if (holder !== undefined) return `blog ${holder.id}`
      const last = blogs.filter(({ left }) => left.has(slug)).sort((a, b) => b.left.get(slug)! - a.left.get(slug)!)[0]
      if (last?.state === 'published') return `moved ${last.slug}`
      return last?.state === 'deleted' ? `gone ${last.id}` : 'nothing'
    }
  }
}

async function answerOf(app: FastifyInstance, slug: string): Promise<string> {
  try {
    const found = await app.services.blogs.getBySlug(writer, { slug })
    return found.kind === 'blog'
      ? `blog ${(JSON.parse(found.body.toString()) as { id: string }).id}`
      : `moved ${found.slug}`
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'blog_gone'
      ? `gone ${String(error.options.members?.id)}`
      : error.code === 'blog_not_found'
        ? 'nothing'
        : error.code
  }
}

/**
 * Times are stored in milliseconds. The order of two actions in the same millisecond is undefined.
 */
async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise(setImmediate)
}

t.test(`all public URLs resolve in one hop after each of ${STEPS.toLocaleString('en')} random actions`, async (t) => {
  const app = await startApp(t)
  const call = await client(app, ACCOUNT)
  const { blogs } = app.services
  const oracle = createOracle()
  const random = createSeededRandom(SEED)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!
  const done: Record<string, number> = {}
  const wrong: string[] = []

  const acts = {
    async create(step: number) {
      const slug = pick(SLUGS)
      const isPublic = random() < 0.6
      const made = blogs.create(writer, {
        projectId: 'site',
        title: `Blog ${step}`,
        slug,
        markdown: 'Words.',
        status: isPublic ? 'published' : 'draft'
      })
      if (oracle.isTaken(slug)) return await refused(made, 'slug_taken')
      oracle.created((await made).id, slug, isPublic)
    },
    async rename(step: number, blog: Known) {
      const slug = pick(SLUGS)
      const made = blogs.patch(writer, blog.id, { patch: { slug }, ifVersions: null })
      if (slug !== blog.slug && oracle.isTaken(slug)) return await refused(made, 'slug_taken')
      await made
      if (slug !== blog.slug) oracle.renamed(blog, slug, step)
    },
    async publish(_step: number, blog: Known) {
      await blogs.publish({ writer, id: blog.id })
      oracle.published(blog)
    },
    async unpublish(_step: number, blog: Known) {
      const made = blogs.unpublish({ writer, id: blog.id })
      if (blog.state === 'draft') return await refused(made, 'blog_state_conflict')
      await made
      oracle.unpublished(blog)
    },
    async remove(step: number, blog: Known) {
      await blogs.delete(writer, blog.id, null)
      oracle.deleted(blog, step)
    }
  }

  async function refused(made: Promise<unknown>, code: string): Promise<void> {
    const outcome = await made.then(
      () => 'done',
      (error: unknown) => (error instanceof ApiError ? error.code : String(error))
    )
    if (outcome !== code) wrong.push(`expected ${code}, got ${outcome}`)
  }

  function chooseAct(): keyof typeof acts {
    const count = oracle.living().length
    if (count === 0) return 'create'
    const act = pick([
      'create',
      'create',
      'rename',
      'rename',
      'rename',
      'publish',
      'publish',
      'unpublish',
      'remove'
    ] as (keyof typeof acts)[])
    return act === 'create' && count >= MOST_BLOGS ? 'remove' : act
  }

  async function compare(step: number, addresses: Iterable<string>): Promise<void> {
    for (const slug of addresses) {
      const [answer, must] = [await answerOf(app, slug), oracle.answer(slug)]
      if (answer !== must) wrong.push(`step ${step}, ${slug}: ${answer}, not ${must}`)
    }
  }

  for (let step = 1; step <= STEPS && wrong.length === 0; step++) {
    const act = chooseAct()
    const blog = pick(oracle.living())
    await nextMillisecond()
    await acts[act](step, blog)
    done[act] = (done[act] ?? 0) + 1
    await compare(step, step % 50 === 0 ? SLUGS : [...new Set([blog?.slug ?? pick(SLUGS), pick(SLUGS), pick(SLUGS)])])
  }
  t.same(wrong, [])
  t.comment(
    `${Object.entries(done)
      .map(([act, count]) => `${count} × ${act}`)
      .join(', ')}; ${oracle.everPublic.size} addresses were public`
  )
  for (const act of Object.keys(acts)) t.ok((done[act] ?? 0) > STEPS / 20, `${act} was tried often`)

  await app.services.accounts.update(ACCOUNT, { requestsPerHour: 100_000 })
  const moved: { projectId: string; from: string; to: string }[] = []
  for (const slug of oracle.everPublic) {
    const answer = await call('GET', `/api/v1/blogs/${slug}`)
    const must = oracle.answer(slug)
    if (answer.statusCode === 308) {
      moved.push({ projectId: 'site', from: slug, to: answer.json().slug })
      t.equal((await call('GET', String(answer.headers.location))).statusCode, 200, `${slug} is one hop away`)
    }
    t.equal(
      answer.statusCode === 200
        ? `blog ${answer.json().id}`
        : answer.statusCode === 308
          ? `moved ${answer.json().slug}`
          : answer.json().code === 'blog_gone'
            ? `gone ${answer.json().id}`
            : 'nothing',
      must,
      slug
    )
  }
  t.same(
    (await call('GET', '/api/v1/blogs/redirects')).json(),
    moved.sort((a, b) => (a.from < b.from ? -1 : 1)),
    'the list of redirects says the same'
  )
})
