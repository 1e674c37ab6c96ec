import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { DENIED_PROSE, DENIED_SEGMENTS, deniedIn } from '../lint/denied-words.js'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DOCUMENTS = [
  '**/*.md',
  '**/*.{yml,yaml}',
  '.*.{yml,yaml}',
  '.{ci,github}/**/*.{md,yml,yaml}',
  'Dockerfile',
  '.env.example',
  'docs/openapi.json'
]
/** Dependencies, generated folders, and content that the service stores instead of explaining it. */
const IGNORED = ['**/node_modules', 'data', 'dist', '.tap', 'test/data', 'examples/demo/*/posts']

/** Former names that a document mentions because clients may still use them. */
const FORMER_NAMES: Record<string, string[]> = {
  'CHANGELOG.md': ['optimise', 'reseal'],
  'docs/openapi.json': ['optimise']
}

const GLOSSARY = 'docs/glossary.md'
const TABLE_HEADING = '## Denied words'

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const glossary = read(GLOSSARY)
const tableStart = glossary.indexOf(TABLE_HEADING)

const files = [...new Set(DOCUMENTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude: IGNORED })))].sort()

t.test('documents contain no denied words', async (t) => {
  const expected = ['README.md', GLOSSARY, 'docs/openapi.json', 'docs/errors.md', '.env.example', 'Dockerfile']
  t.strictSame(
    [...expected, 'docker-compose.yml', 'deploy/kubernetes/api.yaml'].filter((file) => !files.includes(file)),
    []
  )
  t.notOk(files.some((file) => file.includes('node_modules')))
  for (const file of files) {
    const text = file === GLOSSARY ? glossary.slice(0, tableStart) : read(file)
    t.strictSame(new Set(deniedIn(text)), new Set(FORMER_NAMES[file]), file)
  }
})

t.test('the glossary lists exactly the denied words with the terms to use', async (t) => {
  const rows = [...glossary.slice(tableStart).matchAll(/^\| (?!Denied|---)(.+?) \| (.+?) \| (.+?) \|$/gm)]
  const listed = rows.map(([, word, term, where]) => ({ word, term, where }))
  const segments = new Map(Object.entries(DENIED_SEGMENTS))
  const prose = new Map(Object.entries(DENIED_PROSE))
  const words = [...new Set([...segments.keys(), ...prose.keys()])].sort()
  t.strictSame(
    listed,
    words.map((word) => ({
      word,
      term: segments.get(word) ?? prose.get(word),
      where: [segments.has(word) ? 'names' : [], prose.has(word) ? 'texts' : []].flat().join(', ')
    }))
  )
})

t.test('the terms of the glossary are unique and in alphabetical order', async (t) => {
  const terms = [...glossary.slice(0, tableStart).matchAll(/^\| (?!Term|---)(.+?) \| /gm)].map(([, term]) => term!)
  t.ok(terms.length > 40)
  t.strictSame(terms, [...new Set(terms)].sort(new Intl.Collator('en-US').compare))
})

t.test('the project words of the spelling check are unique and in alphabetical order', async (t) => {
  const words = read('cspell-words.txt').trimEnd().split('\n')
  t.strictSame(words, [...new Set(words)].sort(new Intl.Collator('en-US').compare))
})
