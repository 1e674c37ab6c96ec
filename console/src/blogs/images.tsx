import { useEffect, useState } from 'preact/hooks'
import type { RefObject } from 'preact'
import type { Image } from '../../../schemas/image.ts'
import { call } from '../api.ts'
import { formatBytes } from '../format.ts'
import { useQuery } from '../use-query.ts'
import { Button, DropZone } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Empty, Loaded } from '../ui/display.tsx'
import type { MarkdownView } from './codemirror.ts'

interface Props {
  blogId: string
  /** Increases with each upload. */
  version: number
  onFiles: (files: File[]) => void
  view: RefObject<MarkdownView | null>
}

/** The pictures of a post. */
export function ImagesTab({ blogId, version, onFiles, view }: Props) {
  const images = useQuery<{ images: Image[] }>(`/api/v1/blogs/${blogId}/images`)
  const [deleting, setDeleting] = useState<Image | null>(null)
  const link = useQuery<{ token: string }>(null)
  useEffect(() => {
    // Pictures of drafts are not public. The token of a preview link shows them.
    void call<{ token: string }>('POST', `/api/v1/blogs/${blogId}/preview`).then(link.setData)
  }, [blogId])
  useEffect(() => {
    if (version > 0) images.reload()
  }, [version])
  return (
    <div class="stack">
      <DropZone
        label="Add pictures"
        hint="JPEG, PNG, WebP, AVIF or GIF, up to 20 MB"
        accept="image/*"
        onFiles={onFiles}
      />
      <p class="muted small">
        Write a description between the brackets of each picture, such as <code>![A blue cup](cup.webp)</code>. Screen
        readers and search engines read it.
      </p>
      <Loaded query={images}>
        {({ images: list }) =>
          list.length === 0 ? (
            <Empty title="This post has no pictures yet.">
              <p>Drop them here, or into the text.</p>
            </Empty>
          ) : (
            <ul class="pictures">
              {list.map((image) => (
                <li key={image.filename}>
                  {link.data !== null && (
                    <img
                      src={`${new URL(image.url).pathname}?w=320&token=${link.data.token}`}
                      alt={image.alt}
                      loading="lazy"
                      width={image.width}
                      height={image.height}
                    />
                  )}
                  <span class="mono">{image.filename}</span>
                  <span class="muted small">
                    {image.width} × {image.height}, {formatBytes(image.bytes)}
                  </span>
                  <span class="row">
                    <Button
                      label={`Insert ${image.filename}`}
                      onClick={() => view.current?.insertImage(image.filename, image.alt)}
                    >
                      Insert
                    </Button>
                    <Button look="danger" label={`Delete ${image.filename}`} onClick={() => setDeleting(image)}>
                      Delete
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {deleting !== null && (
        <Confirm
          title={`Delete ${deleting.filename}?`}
          action="Delete"
          onClose={() => setDeleting(null)}
          onConfirm={async () => {
            await call('DELETE', `/api/v1/blogs/${blogId}/images/${encodeURIComponent(deleting.filename)}`)
            images.reload()
          }}
        >
          <p>Places in the text that show the picture become empty.</p>
        </Confirm>
      )}
    </div>
  )
}
