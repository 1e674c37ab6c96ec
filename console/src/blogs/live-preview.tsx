import { useMemo, useState } from 'preact/hooks'
import type { BlogDraft } from '../../../schemas/blog.ts'
import { PreviewFrame } from '../preview/preview-frame.tsx'
import { SITE_STYLES } from '../preview/site-styles.ts'
import { Button, Select } from '../ui/controls.tsx'
import { Badge, Notice } from '../ui/display.tsx'

const STYLES = Object.entries(SITE_STYLES).map(([id, { name }]) => [id, name] as const)
const STYLE_KEY = 'console-site-style'

interface Props {
  blog: BlogDraft
  isPaused: boolean
  onRefresh: () => void
}

/** The article as the service delivers it, inside of a site's style, with what the service removed. */
export function LivePreview({ blog, isPaused, onRefresh }: Props) {
  const [siteStyle, setStyle] = useState(() => localStorage.getItem(STYLE_KEY) ?? 'plain')
  const [colorScheme, setScheme] = useState<'light' | 'dark'>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  )
  const { title, htmlContent: html, cssContent: css, lang, dir } = blog
  const message = useMemo(
    () => ({ title, html, css, lang, dir, siteStyle, colorScheme }),
    [title, html, css, lang, dir, siteStyle, colorScheme]
  )
  return (
    <div class="stack">
      <div class="toolbar">
        <Select
          label="Site style"
          value={siteStyle}
          options={STYLES}
          onChange={(value) => {
            localStorage.setItem(STYLE_KEY, value)
            setStyle(value)
          }}
        />
        <Select
          label="Color scheme"
          value={colorScheme}
          options={[
            ['light', 'Light'],
            ['dark', 'Dark']
          ]}
          onChange={setScheme}
        />
      </div>
      {isPaused && (
        <Notice tone="warn">
          Few requests are left in this hour, so the preview no longer follows each change.
          <Button onClick={onRefresh}>Update the preview</Button>
        </Notice>
      )}
      <PreviewFrame message={message} />
      {blog.warnings.length > 0 && (
        <details class="warnings">
          <summary>
            Warnings <Badge tone="warn">{blog.warnings.length}</Badge>
          </summary>
          <ul>
            {blog.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
