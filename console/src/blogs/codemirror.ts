import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'

interface Options {
  label: string
  text: string
  format: 'markdown' | 'html'
  onChange: (text: string) => void
  onSave: () => void
  /** Files that were dropped or pasted. */
  onFiles: (files: File[]) => void
}

export interface MarkdownView {
  /** Inserts a picture on a line of its own, and selects its description. */
  insertImage: (filename: string, alt: string) => void
  /** Replaces the whole text. */
  setText: (text: string) => void
  destroy: () => void
}

/** The colors follow the color scheme of the page through its custom properties. */
const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '14px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '14px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 16px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft)'
  }
})
const COLORS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: [tags.monospace, tags.quote], color: 'var(--info)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: 'var(--muted)' }
])

const filesOf = (data: DataTransfer | null): File[] => [...(data?.files ?? [])]

/**
 * An editor inside of a shadow root. There CodeMirror adds its styles as constructed style sheets, which
 * a Content Security Policy without `unsafe-inline` allows.
 */
export function createMarkdownView(
  host: HTMLElement,
  { label, text, format, onChange, onSave, onFiles }: Options
): MarkdownView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const receive = (event: Event, data: DataTransfer | null): boolean => {
    const files = filesOf(data)
    if (files.length === 0) return false
    event.preventDefault()
    onFiles(files)
    return true
  }
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        // Tab is not bound: it leaves the editor, as keyboards need it.
        keymap.of([
          {
            key: 'Mod-s',
            run: () => {
              onSave()
              return true
            }
          },
          ...defaultKeymap,
          ...historyKeymap
        ]),
        markdown({ base: markdownLanguage }),
        syntaxHighlighting(COLORS),
        THEME,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
        placeholder('Write in Markdown. Drop pictures here.'),
        EditorView.domEventHandlers({
          drop: (event) => receive(event, event.dataTransfer),
          paste: (event) => receive(event, event.clipboardData)
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        })
      ]
    })
  })
  return {
    insertImage(filename, alt) {
      const [before, after] = format === 'html' ? ['<img alt="', `" src="${filename}">`] : ['![', `](${filename})`]
      const line = view.state.doc.lineAt(view.state.selection.main.head)
      // After the line of the cursor: the cursor may stand in the description of the picture before.
      const start = line.text.trim() === '' ? line.from : line.to
      const lead = start === line.from ? '' : '\n\n'
      const from = start + lead.length + before.length
      view.dispatch({
        changes: { from: start, to: line.to, insert: `${lead}${before}${alt}${after}\n` },
        selection: { anchor: from, head: from + alt.length },
        scrollIntoView: true
      })
      view.focus()
    },
    setText(replacement) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: replacement } })
    },
    destroy: () => view.destroy()
  }
}
