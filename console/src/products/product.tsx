import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Product, ProductPatch, ProductSeo, SeoField } from '../../../schemas/product.ts'
import { call } from '../api.ts'
import { formatDateTime, formatPrice } from '../format.ts'
import { useAction, useQuery, type Query } from '../use-query.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Badge, ErrorNotice, Loaded, Notice, Page, Panel, Time } from '../ui/display.tsx'
import { Icon } from '../ui/icons.tsx'
import { SearchResult } from '../ui/search-result.tsx'
import { ProductStatusBadge, QUALITY_TEXTS, SOURCE_TEXTS } from './products.tsx'

/** The texts of a product that people edit, with the rows of their fields. */
const FIELDS: readonly { name: SeoField; text: string; rows: number }[] = [
  { name: 'metaTitle', text: 'Title for search results', rows: 1 },
  { name: 'metaDescription', text: 'Description for search results', rows: 3 },
  { name: 'pageTitle', text: 'Title of the page', rows: 1 },
  { name: 'pageDescription', text: 'Description of the page', rows: 8 },
  { name: 'handle', text: 'Handle', rows: 1 }
]
/** How often a product is read again while its texts are generated. */
const POLL_MS = 2000

const isPending = ({ status }: Product): boolean => status === 'pending' || status === 'optimizing'

/** The texts of one product: what is generated, by what, and what a person locked. */
export function ProductPage({ id }: { id: string }) {
  const query = useQuery<Product>(`/api/v1/products/${id}`, (product) => (isPending(product) ? POLL_MS : null))
  const parent = { href: '/products', text: 'Products' }
  if (query.data === null) {
    return (
      <Page title="Product" parent={parent}>
        <Loaded query={query}>{() => null}</Loaded>
      </Page>
    )
  }
  const product = query.data
  return (
    <Page title={product.title} parent={parent} badge={<ProductStatusBadge status={product.status} />}>
      <ErrorNotice error={query.error} />
      {product.quality.length > 0 && (
        <Notice tone="warn">
          <span class="row">
            Problems of the texts:
            {product.quality.map((code) => (
              <Badge key={code} tone="warn">
                {QUALITY_TEXTS[code]}
              </Badge>
            ))}
          </span>
        </Notice>
      )}
      <div class="split">
        <Texts query={query} product={product} />
        <Source product={product} />
      </div>
    </Page>
  )
}

type Drafts = Partial<Record<SeoField, string>>

function Texts({ query, product }: { query: Query<Product>; product: Product }) {
  const [drafts, setDrafts] = useState<Drafts>({})
  const { seo } = product
  const valueOf = (name: SeoField): string => drafts[name] ?? seo[name]?.value ?? ''
  const change = useAction(async (seoPatch: NonNullable<ProductPatch['seo']>) => {
    query.setData(await call<Product>('PATCH', `/api/v1/products/${product.id}`, { body: { seo: seoPatch } }))
    setDrafts((previous) =>
      Object.fromEntries(Object.entries(previous).filter(([name]) => !Object.hasOwn(seoPatch, name)))
    )
    // A restored text is generated in the background.
    query.reload()
  })
  return (
    <Panel title="Texts">
      <SearchResult
        title={valueOf('metaTitle')}
        description={valueOf('metaDescription')}
        url={product.url ?? `/products/${valueOf('handle')}`}
        {...(product.locale === null ? {} : { lang: product.locale })}
      />
      <ErrorNotice error={change.error} />
      <div class="stack">
        {FIELDS.map(({ name, text, rows }) => {
          const isChanged = drafts[name] !== undefined && drafts[name] !== (seo[name]?.value ?? '')
          return (
            <div key={name} class="seo-text">
              <TextField
                label={text}
                rows={rows}
                value={valueOf(name)}
                onInput={(value) => setDrafts((previous) => ({ ...previous, [name]: value }))}
                hint={<Origin text={seo[name]} />}
              />
              <span class="row">
                {isChanged && (
                  <>
                    <Button
                      look="primary"
                      icon="lock"
                      label={`Save and lock: ${text}`}
                      busy={change.isRunning}
                      onClick={() => void change.run({ [name]: drafts[name] })}
                    >
                      Save and lock
                    </Button>
                    <Button
                      label={`Discard: ${text}`}
                      onClick={() => setDrafts((previous) => ({ ...previous, [name]: undefined }))}
                    >
                      Discard
                    </Button>
                  </>
                )}
                {!isChanged && seo[name]?.source === 'human' && (
                  <Button
                    label={`Unlock: ${text}`}
                    busy={change.isRunning}
                    onClick={() => void change.run({ [name]: null })}
                  >
                    Unlock
                  </Button>
                )}
                {!isChanged && seo[name] !== null && seo[name].source !== 'human' && (
                  <Button
                    icon="lock"
                    label={`Lock: ${text}`}
                    busy={change.isRunning}
                    onClick={() => void change.run({ [name]: seo[name]!.value })}
                  >
                    Lock
                  </Button>
                )}
              </span>
            </div>
          )
        })}
      </div>
    </Panel>
  )
}

/** Who wrote a text. Texts of a person are locked: generated ones never overwrite them. */
function Origin({ text }: { text: ProductSeo[SeoField] }) {
  if (text === null) return <>Not generated yet</>
  if (text.source === 'human') {
    return (
      <span class="origin">
        <Icon name="lock" /> {SOURCE_TEXTS.human}: locked, never overwritten
      </span>
    )
  }
  if (text.generated === undefined) return <>{SOURCE_TEXTS[text.source]}: generated from the product data</>
  const { model, promptVersion, at } = text.generated
  return (
    <>
      {SOURCE_TEXTS.llm}: {model}, prompt {promptVersion}, {formatDateTime(at)}
    </>
  )
}

/** The data that the texts are made from. */
function Source({ product }: { product: Product }) {
  const facts: [string, string | null][] = [
    ['External id', product.externalId],
    ['Project', product.projectId],
    ['SKU', product.sku],
    ['Price', product.price === null ? null : formatPrice(product.price, product.currency)],
    ['Category', product.category],
    ['Brand', product.brand],
    ['GTIN', product.gtin],
    ['Group', product.groupId],
    ['Language', product.locale]
  ]
  return (
    <div class="stack">
      <Panel title="Product data">
        {product.imageUrl !== null && <img class="product-picture" src={product.imageUrl} alt="" loading="lazy" />}
        <dl class="facts">
          {facts
            .filter(([, value]) => value !== null && value !== '')
            .map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          <dt>Changed</dt>
          <dd>
            <Time at={product.updatedAt} />
          </dd>
        </dl>
        {product.description !== null && (
          <p class="source-text" lang={product.locale ?? undefined}>
            {product.description}
          </p>
        )}
      </Panel>
      {product.warnings.length > 0 && (
        <Panel title="Warnings">
          <ul class="plain-list">
            {product.warnings.map(({ code, message }) => (
              <li key={code + message}>{message}</li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}
