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

/**
 * `thin`: the source has less than 70 characters of text. `too_short`: the meta description has less than 70
 * characters. `duplicate`: another product outside of the group has the same title or description. `lorem`: the source
 * is a placeholder.
 */
export const QUALITY_CODES = ['duplicate', 'lorem', 'thin', 'too_short'] as const
export type QualityCode = (typeof QUALITY_CODES)[number]

/** The shops whose CSV format the texts can be exported in. */
export const SHOP_FORMATS = ['shopify', 'woocommerce'] as const
export type ShopFormat = (typeof SHOP_FORMATS)[number]
/** The plugins of WordPress that store titles and descriptions for search engines. */
export const SEO_PLUGINS = ['yoast', 'rank-math'] as const
export type SeoPlugin = (typeof SEO_PLUGINS)[number]

/** Maximum number of products in a batch request. */
export const MAX_BATCH_PRODUCTS = 5000
/**
 * Maximum number of products, and of characters in their long fields, in an atomic batch. It is written
 * in one transaction, during which an embedded store serves no other request.
 */
export const MAX_ATOMIC_PRODUCTS = 500
export const MAX_ATOMIC_LENGTH = 2_000_000
/**
 * Characters of all texts of the products of an atomic batch, as they are stored: a generated one may
 * repeat the description.
 */
export const MAX_ATOMIC_STORED_LENGTH = 5_000_000
/** Characters of the products that an atomic batch or a dry run reads. */
export const MAX_READ_LENGTH = 20_000_000
/** Maximum size of the fields of a product in a request, as JSON in UTF-8. */
export const MAX_PRODUCT_BYTES = 256 * 1024
/** Maximum size of a batch request. */
export const BATCH_BODY_BYTES = 16 * 1024 * 1024
/** Maximum number of images of a product, in addition to `imageUrl`. */
export const MAX_PRODUCT_IMAGES = 50
/** Maximum number of levels of a category path. */
export const MAX_CATEGORY_LEVELS = 10

export const ExternalId = () =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    description: 'Your product id, unique within the project. Case-sensitive'
  })

const Text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) })
const Category = () => Text(750, "Levels joined by ' > ', at most 10")
const Price = () =>
  Type.Number({
    minimum: 0,
    maximum: 9_999_999_999.9999,
    description:
      'A number. All digits are kept, up to 4 decimal places; more are rounded half to even, with the warning ' +
      '`price_rounded`'
  })
const Attributes = () =>
  Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.String({ maxLength: 1000 }), {
    maxProperties: 100,
    description: 'The properties of the variant, such as size and color'
  })
const Tags = () => Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })
const Images = () => Type.Array(Url(), { maxItems: MAX_PRODUCT_IMAGES })

/** The writable fields of a product. Null clears a field; an omitted field keeps its value. */
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
  tags: Type.Optional(Nullable(Tags())),
  groupId: Type.Optional(
    Nullable(
      Text(
        255,
        'The product that this one is a variant of, such as the handle in Shopify. Variants share the page title, ' +
          'the descriptions and the handle'
      )
    )
  )
}
const title = () => Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })

const human = (maxLength: number) => Type.Optional(Nullable(Type.String({ minLength: 1, maxLength, pattern: '\\S' })))
const Seo = Type.Object(
  {
    metaTitle: human(300),
    metaDescription: human(1000),
    pageTitle: human(500),
    pageDescription: human(50_000),
    imageUrl: Type.Optional(Nullable(Url())),
    handle: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[^\\s/?#\\\\]+$',
          maxLength: 255,
          description: 'Any address that the shop already uses, without white space and `/ ? # \\`'
        })
      )
    )
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Manual values, which are never overwritten by generated ones. null restores the generated value'
  }
)
export type SeoInput = Static<typeof Seo>

/** A row of a batch or an import. `projectId` must be the project of the request, if given. */
export const ProductRow = Type.Object(
  {
    projectId: Type.Optional(ProjectId()),
    externalId: ExternalId(),
    title: title(),
    ...details,
    seo: Type.Optional(Seo)
  },
  { $id: 'ProductRow', additionalProperties: false, description: 'Its fields have at most 256 KB as JSON' }
)
export type ProductRow = Static<typeof ProductRow>

export const ProductInput = Type.Object(
  { projectId: ProjectId(), externalId: ExternalId(), title: title(), ...details, seo: Type.Optional(Seo) },
  { $id: 'ProductInput', additionalProperties: false, description: 'Its fields have at most 256 KB as JSON' }
)
export type ProductInput = Static<typeof ProductInput>

export const ProductPatch = Type.Object(
  { title: Type.Optional(title()), ...details, seo: Type.Optional(Seo) },
  { $id: 'ProductPatch', additionalProperties: false, minProperties: 1 }
)
export type ProductPatch = Static<typeof ProductPatch>

const TextOrigin = Type.Object(
  {
    model: Type.String(),
    promptVersion: Type.String({ description: 'Increases when the service changes its prompt' }),
    at: Timestamp()
  },
  { description: 'Only with the source `llm`: the language model that wrote the text' }
)
const SeoText = (description?: string) =>
  Nullable(Type.Object({ value: Type.String(), source: OneOf(SEO_SOURCES), generated: Type.Optional(TextOrigin) }), {
    description: description ?? 'null until it is generated'
  })
export const ProductSeo = Type.Object({
  metaTitle: SeoText(),
  metaDescription: SeoText(),
  pageTitle: SeoText(),
  pageDescription: SeoText(),
  imageUrl: SeoText(),
  handle: SeoText('The last part of the page URL. It is generated once and can be changed manually')
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
    price: Nullable(Type.Number({ description: 'All digits are kept' })),
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
    groupId: Nullable(Type.String()),
    status: OneOf(PRODUCT_STATUSES),
    seo: ProductSeo,
    warnings: Type.Array(ProductWarning, {
      description:
        'Possible problems, such as an image that cannot be fetched, or a source text that is too short (`source_thin`)'
    }),
    quality: Type.Array(OneOf(QUALITY_CODES), {
      description:
        'Problems of the texts. `thin`: the source has less than 70 characters of text. `too_short`: the meta ' +
        'description has less than 70 characters. `duplicate`: another product outside of the group has the same ' +
        'title or description. `lorem`: the source is a placeholder'
    }),
    schemaOrgJson: Type.String({
      description: 'JSON-LD of the type Product for a script tag, with the known offer, brand, identifiers and images'
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
export type ProductList = Static<typeof ProductList>

/** The number of products with each problem of their texts. */
export const ProductQuality = Type.Object(
  {
    projectId: ProjectId(),
    total: Type.Integer({ minimum: 0, description: 'All products of the project' }),
    ...Object.fromEntries(QUALITY_CODES.map((code) => [code, Type.Integer({ minimum: 0 })]))
  } as {
    projectId: ReturnType<typeof ProjectId>
    total: ReturnType<typeof Type.Integer>
  } & Record<QualityCode, ReturnType<typeof Type.Integer>>,
  { $id: 'ProductQuality' }
)
export type ProductQuality = Static<typeof ProductQuality>

export const ProductBatch = Type.Object(
  {
    projectId: ProjectId(),
    products: Type.Array(Type.Unknown({ description: 'A ProductRow. Invalid items do not affect the others' }), {
      minItems: 1,
      maxItems: MAX_BATCH_PRODUCTS
    })
  },
  { $id: 'ProductBatch', additionalProperties: false }
)
export type ProductBatch = Static<typeof ProductBatch>

/** An error or a warning of a row. */
export const RowNote = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'The index in `products`, from 0' }),
  externalId: Nullable(Type.String()),
  ...FieldProblem.properties
})
export type RowNote = Static<typeof RowNote>

export const ProductBatchResult = Type.Object(
  {
    created: Type.Integer({ minimum: 0, description: 'The number of created products' }),
    updated: Type.Integer({
      minimum: 0,
      description: 'The number of updated products, including unchanged ones'
    }),
    unchanged: Type.Integer({ minimum: 0, description: 'The updated products that have not changed' }),
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
        description: 'Default: all products of the project'
      })
    ),
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to include products with unchanged inputs' })
    )
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
