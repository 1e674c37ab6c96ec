import { useEffect } from 'preact/hooks'
import type { BlogDraft, BlogRedirect } from '../../../schemas/blog.ts'
import { withQuery } from '../api.ts'
import { useQuery } from '../use-query.ts'
import { TextField } from '../ui/controls.tsx'
import { Empty, Loaded } from '../ui/display.tsx'

interface Props {
  blog: BlogDraft
  slug: string
  onSlug: (slug: string) => void
}

/** The slug, and the former slugs that redirect to it. */
export function SlugHistory({ blog, slug, onSlug }: Props) {
  const redirects = useQuery<BlogRedirect[]>(withQuery('/api/v1/blogs/redirects', { projectId: blog.projectId }))
  useEffect(() => {
    // Saving a new slug adds a redirect. The first list is read anyway.
    if (redirects.data !== null) redirects.reload()
  }, [blog.slug])
  return (
    <div class="stack">
      <TextField
        label="Slug"
        value={slug}
        onInput={onSlug}
        hint="A new slug is used after saving. A slug that was public redirects to the new one."
      />
      <h2>Former slugs</h2>
      <Loaded query={redirects}>
        {(list) => {
          const former = list.filter(({ to }) => to === blog.slug)
          if (former.length === 0) return <Empty title="No address of this post redirects." />
          return (
            <ul class="slugs mono">
              {former.map(({ from }) => (
                <li key={from}>
                  {from} → {blog.slug}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </div>
  )
}
