import { useState } from 'preact/hooks'
import { useAction } from '../use-query.ts'
import { Button, Select } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/display.tsx'

/** The fields of a product that a column can be assigned to, with words that name such columns. */
const FIELDS: readonly { name: string; text: string; isRequired?: true; words: readonly string[] }[] = [
  { name: 'externalId', text: 'External id', isRequired: true, words: ['sku', 'id', 'number', 'code', 'nr', 'ref'] },
  { name: 'title', text: 'Title', isRequired: true, words: ['title', 'name', 'product', 'label'] },
  { name: 'description', text: 'Description', words: ['description', 'text', 'notes', 'details', 'body'] },
  { name: 'price', text: 'Price', words: ['price', 'cost', 'amount'] },
  { name: 'currency', text: 'Currency', words: ['currency'] },
  { name: 'category', text: 'Category', words: ['category', 'type', 'department', 'group'] },
  { name: 'brand', text: 'Brand', words: ['brand', 'vendor', 'manufacturer', 'maker'] },
  { name: 'url', text: 'Page', words: ['url', 'link', 'page'] },
  { name: 'imageUrl', text: 'Picture', words: ['image', 'picture', 'photo'] },
  { name: 'gtin', text: 'GTIN', words: ['gtin', 'ean', 'upc', 'isbn', 'barcode'] }
]
type Mapping = Record<string, string>

const wordsOf = (column: string): string[] =>
  column
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)

/** The columns whose names contain a word of the field. Each column is proposed once. */
function propose(columns: readonly string[]): Mapping {
  const mapping: Mapping = {}
  const used = new Set<string>()
  for (const { name, words } of FIELDS) {
    const found = words
      .map((word) => columns.find((column) => !used.has(column) && wordsOf(column).includes(word)))
      .find((column) => column !== undefined)
    if (found === undefined) continue
    used.add(found)
    mapping[name] = found
  }
  return mapping
}

interface Props {
  filename: string
  /** The columns of the file. */
  columns: readonly string[]
  /** Sends the file again. `map` has pairs such as `SKU:externalId`. */
  onImport: (map: string[]) => Promise<void>
  onClose: () => void
}

/** Asks which columns of a file hold the fields of products. */
export function ColumnMappingDialog({ filename, columns, onImport, onClose }: Props) {
  const [mapping, setMapping] = useState(() => propose(columns))
  const chosen = Object.entries(mapping).filter(([, column]) => column !== '')
  const upload = useAction(async () => {
    if (new Set(chosen.map(([, column]) => column)).size < chosen.length) {
      throw new Error('Choose each column once.')
    }
    await onImport(chosen.map(([name, column]) => `${column}:${name}`))
    onClose()
  })
  return (
    <Dialog title="Choose the columns" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void upload.run()
        }}
      >
        <p>
          The columns of <strong>{filename}</strong> have names of their own. Choose what they contain. Other columns
          are not imported.
        </p>
        {FIELDS.map(({ name, text, isRequired }) => (
          <Select
            key={name}
            label={isRequired === true ? `${text} (required)` : text}
            value={mapping[name] ?? ''}
            options={[['', 'None'], ...columns.map((column) => [column, column] as const)]}
            onChange={(column) => setMapping((previous) => ({ ...previous, [name]: column }))}
          />
        ))}
        <ErrorNotice error={upload.error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            disabled={FIELDS.some(({ name, isRequired }) => isRequired === true && (mapping[name] ?? '') === '')}
            busy={upload.isRunning}
          >
            Import
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
