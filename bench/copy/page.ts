import { escapeHtml } from '../../lib/html.ts'
import type { CopyPair } from '../../test/services/optimizer/copy-checks.ts'

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
article { border-top: 1px solid #ccc; padding: 1rem 0; display: grid; grid-template-columns: 1fr 1fr; gap: 2rem }
pre { white-space: pre-wrap; font: inherit; color: #555; margin: 0 }
.title { color: #1a0dab; font: 20px arial } .text { font: 14px/1.58 arial; color: #474747 } .note { color: #888 }
.failed { color: #b00020 }`

/** A page that shows each source beside its search result. */
export function pairsPage(pairs: Pick<CopyPair, 'product' | 'failed'>[]): string {
  const articles = pairs.map(({ product, failed }) => {
    const { title, description, category, brand, seo, quality } = product
    const meta = seo.metaDescription?.value ?? ''
    const notes = [`${meta.length} characters`, ...quality].join(' · ')
    return `<article dir="auto"><div><b dir="auto">${escapeHtml(title)}</b>
<div class="note">${escapeHtml([brand, category].filter((part) => part !== null).join(' · '))}</div>
<pre dir="auto">${escapeHtml(description ?? '')}</pre></div>
<div><div class="title" dir="auto">${escapeHtml(seo.metaTitle?.value ?? '')}</div>
<div class="text" dir="auto">${escapeHtml(meta)}</div>
<div class="note">${escapeHtml(notes)} <span class="failed">${failed.join(', ')}</span></div></div></article>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sources and descriptions</title>
<style>${STYLE}</style><h1>${pairs.length} sources and descriptions</h1>${articles.join('\n')}</html>`
}
