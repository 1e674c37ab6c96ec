import { Type, type Static } from '@sinclair/typebox'
import { Id, Locale, Nullable, OneOf, ProjectId, Ref, Timestamp, Url } from './fields.ts'
import { PageTotals } from './page.ts'
import { FieldProblem } from './problem.ts'

export const AVAILABILITIES = ['in_stock', 'out_of_stock', 'preorder', 'backorder'] as const
export type Availability = (typeof AVAILABILITIES)[number]
export const PRODUCT_STATUSES = ['pending', 'optimizing', 'optimized', 'failed'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]
export const SEO_SOURCES = ['rule', 'llm', 'human'] as const
export type SeoSource = (typeof SEO_SOURCES)[number]

/** Most products in one batch request. */
export const MAX_BATCH_PRODUCTS = 5000
/** Largest body of a batch request. */
export const BATCH_BODY_BYTES = 16 * 1024 * 1024
/** Most levels of a category path. */
export const MAX_CATEGORY_LEVELS = 10

export const ExternalId = () =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    description: "The caller's own product identifier, unique within the project; case counts"
  })

const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })
const Category = () => Text(750, "Levels joined by ' > ', at most 10")
const Price = () =>
  Type.Number({
    minimum: 0,
    maximum: 9_999_999_999.9999,
    description: 'At most 4 decimal places; kept and given back digit by digit as it was sent'
  })
const Attributes = () =>
  Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 1000 }), {
    maxProperties: 100,
    description: 'What tells it from its siblings: size, color, …'
  })
const Tags = () => Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })
const Images = () => Type.Array(Url(), { maxItems: 50 })

/**
 * What a caller may say of a product besides which one it is; null clears, and what is left out is
 * kept.
 */
const details = {
  sku: Type.Optional(Nullable(Text(255))),
  description: Type.Optional(Nullable(Text(50_000, 'Plain text or HTML'))),
  price: Type.Optional(Nullable(Price())),
  category: Type.Optional(Nullable(Category())),
  url: Type.Optional(Nullable(Url())),
  imageUrl: Type.Optional(Nullable(Url())),
  images: Type.Optional(Nullable(Images())),
  brand: Type.Optional(Nullable(Text(255))),
  gtin: Type.Optional(Nullable(Type.String({ pattern: '^[0-9]{8,14}$', description: 'GTIN-8, -12, -13 or -14' }))),
  mpn: Type.Optional(Nullable(Text(255))),
  currency: Type.Optional(Nullable(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }))),
  availability: Type.Optional(Nullable(OneOf(AVAILABILITIES))),
  locale: Type.Optional(Nullable(Locale())),
  attributes: Type.Optional(Nullable(Attributes())),
  tags: Type.Optional(Nullable(Tags()))
}
const title = () => Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

/** A row of a batch or an import. `projectId`, where it is given, must be the request's. */
export const ProductRow = Type.Object(
  { projectId: Type.Optional(ProjectId()), externalId: ExternalId(), title: title(), ...details },
  { $id: 'ProductRow', additionalProperties: false }
)
export type ProductRow = Static<typeof ProductRow>

export const ProductInput = Type.Object(
  { projectId: ProjectId(), externalId: ExternalId(), title: title(), ...details },
  { $id: 'ProductInput', additionalProperties: false }
)
export type ProductInput = Static<typeof ProductInput>

const human = (maxLength: number) => Type.Optional(Nullable(Type.String({ minLength: 1, maxLength, pattern: '\\S' })))
const SeoPatch = Type.Object(
  {
    metaTitle: human(300),
    metaDescription: human(1000),
    pageTitle: human(500),
    pageDescription: human(50_000),
    imageUrl: Type.Optional(Nullable(Url())),
    handle: Type.Optional(Nullable(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 80 })))
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: "A person's own values; no machine overwrites them. null gives the field back to the machine."
  }
)

export const ProductPatch = Type.Object(
  { title: Type.Optional(title()), ...details, seo: Type.Optional(SeoPatch) },
  { $id: 'ProductPatch', additionalProperties: false, minProperties: 1 }
)
export type ProductPatch = Static<typeof ProductPatch>

const SeoText = (description?: string) =>
  Nullable(Type.Object({ value: Type.String(), source: OneOf(SEO_SOURCES) }), {
    description: description ?? 'null until it was worked out'
  })
export const ProductSeo = Type.Object({
  metaTitle: SeoText(),
  metaDescription: SeoText(),
  pageTitle: SeoText(),
  pageDescription: SeoText(),
  imageUrl: SeoText(),
  handle: SeoText('The last part of the page’s address; given once, changed only by a person')
})
export type ProductSeo = Static<typeof ProductSeo>
export type SeoField = keyof ProductSeo

export const ProductWarning = Type.Object({ code: Type.String(), message: Type.String() })
export type ProductWarning = Static<typeof ProductWarning>

export const Product = Type.Object(
  {
    id: Id(),
    projectId: ProjectId(),
    externalId: Type.String(),
    sku: Nullable(Type.String()),
    title: Type.String(),
    description: Nullable(Type.String()),
    price: Nullable(Type.Number({ description: 'Digit by digit as it was sent' })),
    category: Nullable(Type.String()),
    url: Nullable(Type.String()),
    imageUrl: Nullable(Type.String()),
    images: Type.Array(Type.String()),
    brand: Nullable(Type.String()),
    gtin: Nullable(Type.String()),
    mpn: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    availability: Nullable(OneOf(AVAILABILITIES)),
    locale: Nullable(Type.String()),
    attributes: Type.Record(Type.String(), Type.String()),
    tags: Type.Array(Type.String()),
    status: OneOf(PRODUCT_STATUSES),
    seo: ProductSeo,
    warnings: Type.Array(ProductWarning, {
      description: 'What needs a look, such as a picture that cannot be fetched'
    }),
    createdAt: Timestamp(),
    updatedAt: Timestamp()
  },
  { $id: 'Product' }
)
export type Product = Static<typeof Product>

export const UPSERT_RESULTS = ['created', 'updated', 'unchanged'] as const
export type UpsertResult = (typeof UPSERT_RESULTS)[number]
export const UpsertedProduct = Type.Object(
  { ...Product.properties, result: OneOf(UPSERT_RESULTS) },
  { $id: 'UpsertedProduct' }
)

export const ProductList = Type.Object({ products: Type.Array(Ref(Product)), ...PageTotals }, { $id: 'ProductList' })

export const ProductBatch = Type.Object(
  {
    projectId: ProjectId(),
    products: Type.Array(Type.Unknown({ description: 'A ProductRow each; one that is not does not stop the others' }), {
      minItems: 1,
      maxItems: MAX_BATCH_PRODUCTS
    })
  },
  { $id: 'ProductBatch', additionalProperties: false }
)
export type ProductBatch = Static<typeof ProductBatch>

/** A row that something is wrong with, or to be said of. */
export const RowNote = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'The place in products, from 0' }),
  externalId: Nullable(Type.String()),
  ...FieldProblem.properties
})
export type RowNote = Static<typeof RowNote>

export const ProductBatchResult = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'Number of products created' }),
    updated: Type.Integer({
      minimum: 0,
      description: 'Number of products updated, those included that were so already'
    }),
    unchanged: Type.Integer({ minimum: 0, description: 'Of updated, those that were so already' }),
    failed: Type.Integer({ minimum: 0 }),
    errors: Type.Array(RowNote),
    warnings: Type.Array(RowNote)
  },
  { $id: 'ProductBatchResult' }
)
export type ProductBatchResult = Static<typeof ProductBatchResult>

export const OptimizeRequest = Type.Object(
  {
    projectId: ProjectId(),
    externalIds: Type.Optional(
      Type.Array(ExternalId(), {
        minItems: 1,
        maxItems: MAX_BATCH_PRODUCTS,
        uniqueItems: true,
        description: 'Default: all of the project'
      })
    ),
    force: Type.Optional(Type.Boolean({ default: false, description: 'Also those whose inputs did not change' }))
  },
  { $id: 'OptimizeRequest', additionalProperties: false }
)
export type OptimizeRequest = Static<typeof OptimizeRequest>

/**
 * An entry of data.products in the event products.optimized (spec, section 2): all seven always
 * there, empty where unknown.
 */
export const WebhookProduct = Type.Object(
  {
    external_id: Type.String(),
    meta_title: Type.String(),
    meta_description: Type.String(),
    page_title: Type.String(),
    page_description: Type.String(),
    image_url: Type.String(),
    handle: Type.String()
  },
  { $id: 'WebhookProduct' }
)
export type WebhookProduct = Static<typeof WebhookProduct>
