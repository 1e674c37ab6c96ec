import { useEffect, useRef, useState } from 'preact/hooks'
import type { BlogDraft, BlogPatch } from '../../../schemas/blog.ts'
import type { Image } from '../../../schemas/image.ts'
import { call, messageOf, rateLimit, send } from '../api.ts'
import { formatNumber, plural } from '../format.ts'
import { replaceQuery, useRoute, useUnsavedChanges } from '../router.ts'
import { useAction, useQuery, type Query } from '../use-query.ts'
import { Button, Filter } from '../ui/controls.tsx'
import { ErrorNotice, Loaded, Notice, Page, Time } from '../ui/display.tsx'
import { StatusBadge } from './blogs.tsx'
import type { MarkdownView } from './codemirror.ts'
import { DetailsTab, toForm, toPatch, type BlogForm } from './details.tsx'
import { ImagesTab } from './images.tsx'
import { LivePreview } from './live-preview.tsx'
import { MarkdownEditor } from './markdown-editor.tsx'
import { PublishActions } from './publishing.tsx'
import { RevisionsTab } from './revisions.tsx'
import { SlugHistory } from './slug-history.tsx'

const TABS = [
  ['preview', 'Preview'],
  ['details', 'Details'],
  ['images', 'Pictures'],
  ['slugs', 'Slugs'],
  ['revisions', 'Revisions']
] as const
type Tab = (typeof TABS)[number][0]

/** How long after the last key the preview is rendered. */
const RENDER_DELAY_MS = 700
/** Below this number of requests in the current hour, the preview no longer follows each change. */
const MIN_REMAINING = 20

export function EditorPage({ id }: { id: string }) {
  const blog = useQuery<BlogDraft>(`/api/v1/blogs/by-id/${id}`)
  return blog.data === null ? (
    <Page title="Post" parent={{ href: '/blogs', text: 'Blogs' }}>
      <Loaded query={blog}>{() => null}</Loaded>
    </Page>
  ) : (
    <Editor query={blog} blog={blog.data} />
  )
}

function Editor({ query, blog }: { query: Query<BlogDraft>; blog: BlogDraft }) {
  const route = useRoute()
  const [form, setForm] = useState(() => toForm(blog))
  const [tab, setTab] = useState<Tab>((route.query.get('tab') ?? 'preview') as Tab)
  const [imageError, setImageError] = useState<string | null>(null)
  const [imagesVersion, setImagesVersion] = useState(0)
  const view = useRef<MarkdownView | null>(null)
  const patch = toPatch(blog, form)
  const isDirty = Object.keys(patch).length > 0
  useUnsavedChanges(isDirty)
  const withoutAlt = countWithoutAlt(form.text)
  const rendering = useRendering(blog, patch, imagesVersion)

  const update = (changes: Partial<BlogForm>): void => setForm((previous) => ({ ...previous, ...changes }))
  const accept = (saved: BlogDraft): void => {
    query.setData(saved)
    // The service may have changed a value, such as the spaces around a title. The text stays as it is.
    setForm((previous) => ({ ...toForm(saved), text: previous.text }))
  }
  const acceptRestored = (saved: BlogDraft): void => {
    query.setData(saved)
    setForm(toForm(saved))
    view.current?.setText(saved.source.text)
  }
  const saveChanges = async (): Promise<void> => {
    if (!isDirty) return
    const saved = await call<BlogDraft>('PATCH', `/api/v1/blogs/${blog.id}`, {
      body: patch,
      headers: { 'if-match': `"v${blog.version}"` }
    })
    accept(saved)
  }
  const save = useAction(saveChanges)

  async function addImages(files: File[]): Promise<void> {
    setImageError(null)
    try {
      for (const file of files) {
        const path = `/api/v1/blogs/${blog.id}/images?filename=${encodeURIComponent(file.name)}`
        const image = (await (await send('POST', path, { upload: file })).json()) as Image
        view.current?.insertImage(image.filename, image.alt)
      }
    } catch (error) {
      setImageError(messageOf(error))
    }
    setImagesVersion((version) => version + 1)
  }

  return (
    <Page
      title={form.title === '' ? 'Untitled' : form.title}
      parent={{ href: '/blogs', text: 'Blogs' }}
      badge={<StatusBadge status={blog.status} />}
      actions={
        <>
          <span class="muted small" role="status">
            {isDirty ? (
              'Not saved'
            ) : (
              <>
                Saved <Time at={blog.updatedAt} />
              </>
            )}
          </span>
          <Button busy={save.isRunning} disabled={!isDirty} onClick={() => void save.run()}>
            Save
          </Button>
          <PublishActions blog={blog} isDirty={isDirty} onSave={saveChanges} onChange={accept} />
        </>
      }
    >
      <ErrorNotice error={save.error ?? imageError ?? rendering.error} />
      <div class="editor">
        <section class="editor-text" aria-label="Text">
          <input
            class="editor-title"
            aria-label="Title"
            value={form.title}
            onInput={(event) => update({ title: event.currentTarget.value })}
          />
          {blog.source.format === 'html' && (
            <Notice tone="info">This post was sent as HTML. It is edited as HTML.</Notice>
          )}
          <MarkdownEditor
            key={blog.source.format}
            label={blog.source.format === 'html' ? 'HTML' : 'Markdown'}
            text={form.text}
            format={blog.source.format}
            onChange={(text) => update({ text })}
            onSave={() => void save.run()}
            onFiles={(files) => void addImages(files)}
            onReady={(ready) => {
              view.current = ready
            }}
          />
          <p class="editor-facts muted small">
            {plural(rendering.blog.wordCount, 'word')} · {formatNumber(rendering.blog.readingTimeMinutes)} min to read
            {withoutAlt > 0 && ` · ${plural(withoutAlt, 'picture')} without a description`}
          </p>
        </section>
        <section class="editor-side" aria-label="Preview and details">
          <Filter
            label="View"
            value={tab}
            options={TABS}
            onChange={(value) => {
              setTab(value)
              replaceQuery({ tab: value === 'preview' ? null : value })
            }}
          />
          {tab === 'preview' && (
            <LivePreview blog={rendering.blog} isPaused={rendering.isPaused} onRefresh={rendering.refresh} />
          )}
          {tab === 'details' && <DetailsTab form={form} rendered={rendering.blog} onChange={update} />}
          {tab === 'images' && (
            <ImagesTab
              blogId={blog.id}
              version={imagesVersion}
              onFiles={(files) => void addImages(files)}
              view={view}
            />
          )}
          {tab === 'slugs' && <SlugHistory blog={blog} slug={form.slug} onSlug={(slug) => update({ slug })} />}
          {tab === 'revisions' && <RevisionsTab blog={blog} isDirty={isDirty} onRestored={acceptRestored} />}
        </section>
      </div>
    </Page>
  )
}

/** The pictures of a text in Markdown or HTML without an alternative text. */
const countWithoutAlt = (text: string): number => text.match(/!\[\s*\]\(|<img\b[^>]*\balt=""/g)?.length ?? 0

interface Rendering {
  blog: BlogDraft
  error: string | null
  /** Whether the preview waits for `refresh`, because few requests are left. */
  isPaused: boolean
  refresh: () => void
}

/** The post with its unsaved changes, as readers would see it. Follows the changes after a pause. */
function useRendering(blog: BlogDraft, patch: BlogPatch, imagesVersion: number): Rendering {
  const [rendered, setRendered] = useState<BlogDraft | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [revision, setRevision] = useState(0)
  const body = JSON.stringify(patch)
  const isPaused = rateLimit.remaining < MIN_REMAINING
  useEffect(() => {
    const isRequested = revision > 0
    if (isPaused && !isRequested) return
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        // An empty patch is invalid; the title alone changes nothing.
        const changes = body === '{}' ? { title: blog.title } : (JSON.parse(body) as BlogPatch)
        call<BlogDraft>('POST', `/api/v1/blogs/${blog.id}/render`, { body: changes, signal: abort.signal }).then(
          (next) => {
            setRendered(next)
            setError(null)
          },
          (failure: unknown) => {
            if (!abort.signal.aborted) setError(messageOf(failure))
          }
        )
      },
      rendered === null ? 0 : RENDER_DELAY_MS
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [blog.id, blog.version, body, imagesVersion, revision])
  return { blog: rendered ?? blog, error, isPaused, refresh: () => setRevision((number) => number + 1) }
}
