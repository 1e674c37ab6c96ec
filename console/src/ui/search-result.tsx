import { useMemo } from 'preact/hooks'

/**
 * Widths at which search engines cut texts off, in CSS pixels, on desktop screens: titles in Arial 20 px,
 * descriptions in two lines of Arial 14 px. Measured on result pages; search engines publish no numbers.
 */
const TITLE = { font: '20px Arial, Arimo, "Liberation Sans", sans-serif', pixels: 580 }
const DESCRIPTION = { font: '14px Arial, Arimo, "Liberation Sans", sans-serif', pixels: 920 }

let context: CanvasRenderingContext2D | null = null

/** The width of a text in CSS pixels. */
function measure(text: string, font: string): number {
  context ??= document.createElement('canvas').getContext('2d')!
  context.font = font
  return context.measureText(text).width
}

/** The text as a search result shows it: cut off at a word, with an ellipsis. */
function fit(text: string, { font, pixels }: typeof TITLE): { shown: string; width: number; isCut: boolean } {
  const width = Math.round(measure(text, font))
  if (width <= pixels) return { shown: text, width, isCut: false }
  const words = text.split(' ')
  while (words.length > 1 && measure(`${words.join(' ')} …`, font) > pixels) words.pop()
  return { shown: `${words.join(' ')} …`, width, isCut: true }
}

interface Props {
  title: string
  description: string
  url: string
  lang?: string
}

/** How a search engine would show the page, at the width of its results. */
export function SearchResult({ title, description, url, lang }: Props) {
  const titleFit = useMemo(() => fit(title, TITLE), [title])
  const descriptionFit = useMemo(() => fit(description, DESCRIPTION), [description])
  return (
    <figure class="search-result">
      <figcaption class="muted small">Search result</figcaption>
      <div class="result" lang={lang}>
        <span class="result-url">{url}</span>
        <span class="result-title">{titleFit.shown}</span>
        <span class="result-description">{descriptionFit.shown}</span>
      </div>
      <p class="small">
        <Width name="Title" {...titleFit} pixels={TITLE.pixels} />
        <Width name="Description" {...descriptionFit} pixels={DESCRIPTION.pixels} />
      </p>
    </figure>
  )
}

function Width({ name, width, pixels, isCut }: { name: string; width: number; pixels: number; isCut: boolean }) {
  return (
    <span class={isCut ? 'over' : 'muted'}>
      {name}: {width} of {pixels} px{isCut ? ', cut off' : ''}
    </span>
  )
}
