import regexp from 'eslint-plugin-regexp'
import neostandard from 'neostandard'
import deniedWords from './test/lint/denied-words.js'
import importZones from './test/lint/import-zones.js'
import maxFileSize from './test/lint/max-file-size.js'

const ENVIRONMENT = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Only plugins/config.ts reads the environment.'
}
const NORMALIZE = {
  selector: "CallExpression[callee.property.name='normalize'][callee.object.name!='path']",
  message: 'String.prototype.normalize may take quadratic time. Use normalize of lib/normalize.ts.'
}
const PORTS_ON_APP = '/^(store|queue|limits|files|browser|outbound)$/'
const PORTS_IN_ROUTES = [
  `MemberExpression[object.name="app"][property.name=${PORTS_ON_APP}]`,
  `VariableDeclarator[init.name="app"] > ObjectPattern > Property[key.name=${PORTS_ON_APP}]`
].map((selector) => ({ selector, message: 'Routes work through app.services, not through ports.' }))

/** Pictures, tables of widths and the like: data in the form of a module. */
const DATA_MODULES = ['examples/demo/drawing/**', 'services/optimizer/rules/arial-widths.ts']

export default [
  ...neostandard({
    ts: true,
    noStyle: true,
    ignores: [
      'dist/**',
      'console/dist/**',
      'data/**',
      '.tap/**',
      '**/*.min.js',
      'clients/typescript/dist/**',
      // Generated.
      'clients/typescript/src/openapi.ts',
      'examples/astro/{dist,.astro}/**',
      'examples/next/{.next/**,next-env.d.ts}',
      'examples/receivers/{php,python}/**'
    ]
  }),
  // A schema and its type share a name.
  { files: ['schemas/**'], rules: { '@typescript-eslint/no-redeclare': 'off', 'no-redeclare': 'off' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js'],
    plugins: {
      local: { rules: { 'import-zones': importZones, 'denied-words': deniedWords, 'max-file-size': maxFileSize } }
    },
    rules: {
      'local/import-zones': 'error',
      'local/denied-words': 'error',
      'max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: false }],
      // Layout belongs to the formatter.
      'no-unexpected-multiline': 'off',
      // Input is checked for control characters on purpose.
      'no-control-regex': 'off'
    }
  },
  {
    // `void` marks a promise that an event handler does not wait for.
    files: ['console/src/**'],
    rules: { 'no-void': 'off', 'react/jsx-handler-names': 'off' }
  },
  // Sentences of generated product texts, one a line.
  { files: ['test/data/generate/shop-feeds/texts.ts'], rules: { 'max-len': 'off' } },
  // Posts in Markdown, one paragraph a line.
  { files: ['test/data/visual-pages/posts/*.ts'], rules: { 'max-len': 'off' } },
  { files: ['test/lint/**', 'eslint.config.js'], rules: { 'local/denied-words': 'off', 'local/import-zones': 'off' } },
  {
    // Requests and stored projects may have the spelling `optimise` of the first version.
    files: [
      'schemas/project.ts',
      'services/projects.ts',
      'test/docs/language.test.ts',
      'test/routes/api/projects.test.ts'
    ],
    rules: { 'local/denied-words': 'off' }
  },
  {
    // `refusal` is a field of chat completions in OpenAI's API.
    files: ['services/optimizer/provider/**', 'test/fixtures/language-model.ts', 'test/services/optimizer/provider/**'],
    rules: { 'local/denied-words': ['error', { allow: ['refusal'] }] }
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['test/**', 'bench/**', ...DATA_MODULES],
    rules: {
      'local/max-file-size': ['error', 16 * 1024],
      'max-depth': ['error', 3],
      'max-params': ['error', 3]
    }
  },
  {
    // Input meets expressions that take linear time only.
    files: ['**/*.ts'],
    ignores: ['test/**', 'bench/**', 'examples/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignoreSticky: true }]
    }
  },
  {
    files: ['**/*.ts'],
    // child/main.ts is the program of a browser process.
    ignores: [
      'test/**',
      'bench/**',
      'bin/**',
      'examples/{astro,next}/**',
      'plugins/config/environment.ts',
      'ports/browser/playwright/child/main.ts'
    ],
    rules: { 'no-restricted-syntax': ['error', ENVIRONMENT, NORMALIZE] }
  },
  // The module itself, and modules that run in a page and import nothing.
  {
    files: ['lib/normalize.ts', 'ports/browser/playwright/child/page/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ENVIRONMENT] }
  },
  { files: ['routes/**'], rules: { 'no-restricted-syntax': ['error', ENVIRONMENT, NORMALIZE, ...PORTS_IN_ROUTES] } }
]
