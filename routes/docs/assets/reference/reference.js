// Starts the API reference: passes the OpenAPI document and the settings of this page to the renderer.

/** Samples are shown for curl, JavaScript (fetch), Python (requests), PHP (curl) and Go. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    [
      ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml'],
      ...['powershell', 'r', 'ruby', 'rust', 'swift']
    ].map((language) => [language, true])
  ),
  shell: ['wget', 'httpie'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
  php: ['guzzle', 'laravel']
}

/** Gives the style elements of the renderer the nonce of the page, which the content security policy requires. */
function addNonceToStyles() {
  const nonce = document.querySelector('meta[property=csp-nonce]').content
  const createElement = document.createElement.bind(document)
  document.createElement = (name, ...options) => {
    const element = createElement(name, ...options)
    if (element instanceof window.HTMLStyleElement) element.nonce = nonce
    return element
  }
}

/** Names, roles and focus that the renderer leaves out, for assistive technology and the keyboard. */
function completeAccessibility() {
  const rowOf = (element) => element.closest('tr')?.textContent.trim() || 'Value'
  const complete = () => {
    for (const field of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
      field.setAttribute('aria-expanded', 'false')
      if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', rowOf(field))
    }
    for (const button of document.querySelectorAll('button:is([role=none], [role=alert])')) {
      button.removeAttribute('role')
    }
    for (const button of document.querySelectorAll('button[class*=copy]:not([aria-label])')) {
      button.setAttribute('aria-label', 'Copy')
      // Its code is not there yet.
      if (document.getElementById(button.getAttribute('aria-controls')) === null) {
        button.removeAttribute('aria-controls')
      }
    }
    for (const button of document.querySelectorAll('button:not([aria-label])')) {
      if (button.textContent.trim() === '') button.setAttribute('aria-label', rowOf(button))
    }
    for (const editor of document.querySelectorAll('.cm-content:not([aria-label])')) {
      editor.setAttribute('aria-label', 'Response body')
    }
    for (const scroller of document.querySelectorAll('.cm-scroller[tabindex="-1"]')) scroller.tabIndex = 0
  }
  // Once before each frame: the renderer changes much at a time.
  let frame = null
  const observer = new window.MutationObserver(() => {
    frame ??= window.requestAnimationFrame(() => {
      frame = null
      complete()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['role', 'aria-expanded'] })
}

/** Whether the renderer would fill in an optional parameter: with its example, its default, or an allowed value. */
const isFilledIn = ({ in: place, example, schema }) =>
  place === 'header' ? example !== undefined : example === undefined && (schema.type !== 'string' || 'enum' in schema)

/**
 * The document as readers need it. Requests go to the server of this page. Descriptions say in words what patterns
 * require. Samples have the required parameters and those of the query that have an example.
 */
function prepare(document) {
  const adjust = (value) => {
    if (typeof value !== 'object' || value === null) return
    if (typeof value.pattern === 'string') delete value.pattern
    // The renderer would send all accepted types as the type of a file.
    if ('multipart/form-data' in (value.content ?? {})) delete value.content['multipart/form-data'].encoding
    if (['header', 'query'].includes(value.in) && value.required !== true && isFilledIn(value)) {
      value.examples = { none: { value: '', 'x-disabled': true } }
      delete value.example
    }
    for (const inner of Object.values(value)) adjust(inner)
  }
  for (const part of [document.components.schemas, document.components.parameters, document.paths, document.webhooks]) {
    adjust(part)
  }
  return { ...document, servers: [{ url: window.location.origin, description: 'This server' }] }
}

const slugOf = (tag) => tag.toLowerCase().replaceAll(' ', '-')

/** The fragments of the plain page, and those of the same sections here. */
function fragmentsOf({ tags, paths, webhooks, components }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Map([
    ['webhook-events', 'webhooks'],
    ['schemas', 'models'],
    ...tags.map(({ name }) => [`tag-${slugOf(name)}`, `tag/${slugOf(name)}`]),
    ...operations.map(({ operationId, tags: [tag] }) => [operationId, `tag/${slugOf(tag)}/${operationId}`]),
    ...Object.entries(webhooks).map(([name, { post }]) => [post.operationId, `webhook/${name}`]),
    ...Object.keys(components.schemas).map((name) => [`schema-${name}`, `models/${name}`])
  ])
}

// The validation library of the renderer would try to compile code, which the content security policy forbids.
window.__zod_globalConfig = { jitless: true }
addNonceToStyles()
completeAccessibility()
const script = document.querySelector('script[data-modules]')
const [{ createApiReference }, response] = await Promise.all([
  import(`${script.dataset.modules}/standalone.esm.js`),
  fetch('/openapi.json')
])
const content = prepare(await response.json())
const fragments = fragmentsOf(content)
createApiReference('#reference', {
  content,
  // No requests to other servers.
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  theme: 'none',
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'ApiKeyHeader' },
  // API keys and tokens are not stored in the browser.
  persistAuth: false,
  generateOperationSlug: ({ operationId }) => operationId,
  generateTagSlug: ({ name }) => slugOf(name),
  generateModelSlug: ({ name }) => name,
  generateWebhookSlug: ({ name }) => name,
  redirect: (hash) => {
    const target = fragments.get(hash.replace(/^#/, ''))
    return target === undefined ? null : `#${target}`
  }
})
