import { renderContent, type RenderedContent, type RenderInput } from '../../../../services/blogs/content/index.ts'

export const BLOG_ID = '01993f1e-7c1a-7000-8000-000000000001'
export const PUBLIC_URL = 'https://content.example.com'
export const PHOTO = {
  filename: 'harbor-3fa2.jpg',
  originalName: 'Harbor.jpg',
  alt: 'The harbor at dawn',
  width: 1000,
  height: 500
}

/** An input with defaults for all other fields. */
export function createInput(text: string, source: Partial<RenderInput['source']> = {}): RenderInput {
  return {
    blogId: BLOG_ID,
    title: 'A title',
    locale: 'en',
    images: [PHOTO],
    publicUrl: PUBLIC_URL,
    source: {
      format: 'markdown',
      text,
      css: null,
      metaDescription: null,
      ogImageUrl: null,
      canonicalUrl: null,
      ...source
    }
  }
}

export const fromMarkdown = (text: string): RenderedContent => renderContent(createInput(text))
export const fromHtml = (text: string): RenderedContent => renderContent(createInput(text, { format: 'html' }))

/** The content of the wrapper element. */
export const inside = ({ html }: RenderedContent): string =>
  html.slice(html.indexOf('>') + 1, html.lastIndexOf('</div>'))
