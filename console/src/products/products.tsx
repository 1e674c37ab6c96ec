import { useState } from 'preact/hooks'
import type {
  Product,
  ProductList,
  ProductQuality,
  ProductStatus,
  QualityCode,
  SeoSource
} from '../../../schemas/product.ts'
import { call, withQuery } from '../api.ts'
import { formatNumber, formatPrice } from '../format.ts'
import { ProjectPicker, useProjects } from '../projects/context.tsx'
import { replaceQuery, useRoute } from '../router.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, Filter, SearchBox, Select } from '../ui/controls.tsx'
import { Badge, Empty, ErrorNotice, Loaded, Notice, Page, Pages, Table, Time, type Tone } from '../ui/display.tsx'
import { Imports } from './imports.tsx'

export const QUALITY_TEXTS: Record<QualityCode, string> = {
  duplicate: 'Duplicate',
  lorem: 'Placeholder',
  thin: 'Thin source',
  too_short: 'Too short'
}
export const SOURCE_TEXTS: Record<SeoSource, string> = { rule: 'Rule', llm: 'Model', human: 'Person' }
const STATUS_TEXTS: Record<ProductStatus, string> = {
  pending: 'Pending',
  optimizing: 'Optimizing',
  optimized: 'Optimized',
  failed: 'Failed'
}
const STATUS_TONES: Record<ProductStatus, Tone> = {
  pending: 'neutral',
  optimizing: 'info',
  optimized: 'good',
  failed: 'bad'
}

export const ProductStatusBadge = ({ status }: { status: ProductStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{STATUS_TEXTS[status]}</Badge>
)

/** The products of a shop with the problems of their texts, and imports. */
export function ProductsPage() {
  const { query } = useRoute()
  const { current: projectId, list: projects } = useProjects()
  const [view, setView] = useState(query.get('view') === 'imports' ? 'imports' : 'feed')
  const [quality, setQuality] = useState((query.get('quality') ?? '') as QualityCode | '')
  const [status, setStatus] = useState((query.get('status') ?? '') as ProductStatus | '')
  const [q, setSearch] = useState(query.get('q') ?? '')
  const [page, setPage] = useState(1)
  const report = useQuery<ProductQuality>(
    projectId === '' ? null : withQuery('/api/v1/products/quality', { projectId })
  )
  const change = (name: string, value: string): void => {
    setPage(1)
    replaceQuery({ [name]: value })
  }
  return (
    <Page title="Products" actions={<OptimizeButton projectId={projectId} />}>
      <div class="toolbar">
        <Filter
          label="View"
          value={view}
          options={[
            ['feed', 'Feed'],
            ['imports', 'Imports']
          ]}
          onChange={(value) => {
            setView(value)
            replaceQuery({ view: value === 'feed' ? null : value })
          }}
        />
        <ProjectPicker />
      </div>
      {view === 'imports' ? (
        <Imports projectId={projectId} />
      ) : (
        <>
          {projectId === '' ? (
            projects?.length !== 0 && (
              <Notice tone="info">Choose a project to see how many products have problems.</Notice>
            )
          ) : (
            <Loaded query={report}>{(data) => <QualityReport report={data} />}</Loaded>
          )}
          <div class="toolbar">
            <Filter
              label="Problem"
              value={quality}
              options={[['', 'All'], ...(Object.entries(QUALITY_TEXTS) as [QualityCode, string][])]}
              onChange={(value) => {
                setQuality(value)
                change('quality', value)
              }}
            />
            <SearchBox
              label="Search products"
              value={q}
              onSearch={(text) => {
                setSearch(text)
                change('q', text)
              }}
            />
            <Select
              label="State"
              value={status}
              options={[['', 'All states'], ...(Object.entries(STATUS_TEXTS) as [ProductStatus, string][])]}
              onChange={(value) => {
                setStatus(value)
                change('status', value)
              }}
            />
          </div>
          <Feed query={{ projectId, quality, status, q, page, pageSize: 25 }} onPage={setPage} />
        </>
      )}
    </Page>
  )
}

/** How many products have each problem. */
function QualityReport({ report }: { report: ProductQuality }) {
  const share = (count: number): string =>
    report.total === 0 ? '0%' : `${((100 * count) / report.total).toFixed(count === 0 ? 0 : 1)}%`
  return (
    <dl class="tiles">
      <div>
        <dt>Products</dt>
        <dd>{formatNumber(report.total)}</dd>
      </div>
      {(Object.keys(QUALITY_TEXTS) as QualityCode[]).map((code) => (
        <div key={code}>
          <dt>{QUALITY_TEXTS[code]}</dt>
          <dd>
            {formatNumber(report[code])} <span class="muted small">{share(report[code])}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

type FeedQuery = Record<string, string | number>

function Feed({ query, onPage }: { query: FeedQuery & { page: number }; onPage: (page: number) => void }) {
  const list = useQuery<ProductList>(withQuery('/api/v1/products', query))
  return (
    <Loaded query={list}>
      {({ products, totalCount, totalPages }) =>
        products.length === 0 ? (
          <Empty title="There are no products here.">
            <p>
              Import a file in the view Imports, or send products with <code>POST /api/v1/products/batch</code>.
            </p>
          </Empty>
        ) : (
          <>
            <Table
              label="Products"
              head={['Product', 'Texts', 'Problems', 'Title in search', { text: 'Price', numeric: true }, 'Changed']}
            >
              {products.map((product) => (
                <ProductRow key={product.id} product={product} />
              ))}
            </Table>
            <Pages page={query.page} totalPages={totalPages} totalCount={totalCount} item="product" onPage={onPage} />
          </>
        )
      }
    </Loaded>
  )
}

function ProductRow({ product }: { product: Product }) {
  const { metaTitle } = product.seo
  return (
    <tr>
      <td>
        <a href={`#/products/${product.id}`} lang={product.locale ?? undefined}>
          {product.title}
        </a>
        <span class="sub mono">{product.externalId}</span>
      </td>
      <td class="nowrap">
        <ProductStatusBadge status={product.status} />
      </td>
      <td>
        <span class="row">
          {product.quality.length === 0 && <span class="muted">None</span>}
          {product.quality.map((code) => (
            <Badge key={code} tone="warn">
              {QUALITY_TEXTS[code]}
            </Badge>
          ))}
        </span>
      </td>
      <td class="wide" lang={product.locale ?? undefined}>
        {metaTitle === null ? (
          <span class="muted">Not generated yet</span>
        ) : (
          <>
            {metaTitle.value} <span class="sub">{SOURCE_TEXTS[metaTitle.source]}</span>
          </>
        )}
      </td>
      <td class="numeric nowrap">{product.price === null ? '' : formatPrice(product.price, product.currency)}</td>
      <td class="nowrap">
        <Time at={product.updatedAt} />
      </td>
    </tr>
  )
}

function OptimizeButton({ projectId }: { projectId: string }) {
  const [queued, setQueued] = useState<number | null>(null)
  const optimize = useAction(async () => {
    const result = await call<{ queued: number }>('POST', '/api/v1/products/optimize', { body: { projectId } })
    setQueued(result.queued)
  })
  return (
    <>
      <ErrorNotice error={optimize.error} />
      {queued !== null && (
        <span class="muted small" role="status">
          {formatNumber(queued)} queued
        </span>
      )}
      <Button disabled={projectId === ''} busy={optimize.isRunning} onClick={() => void optimize.run()}>
        Optimize all
      </Button>
    </>
  )
}
