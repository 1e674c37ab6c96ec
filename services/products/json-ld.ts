import type { ProductRecord } from '../../ports/store/port.ts'
import type { Availability } from '../../schemas/product.ts'

/** https://schema.org/ItemAvailability */
const AVAILABILITY: Record<Availability, string> = {
  in_stock: 'InStock',
  out_of_stock: 'OutOfStock',
  preorder: 'PreOrder',
  backorder: 'BackOrder'
}

/**
 * The JSON-LD of a product (https://schema.org/Product) for a script tag. Only known values are
 * included; an offer needs a price and a currency. Variants name their group.
 */
export function productJsonLd(product: ProductRecord): string {
  const { seo, sku, gtin, mpn, brand, category, url, groupId, attributes } = product
  const description = seo.pageDescription?.value || seo.metaDescription?.value
  const image = [...new Set([product.imageUrl, ...product.images])].filter((address) => address !== null)
  const known = (name: RegExp) => Object.entries(attributes).find(([attribute]) => name.test(attribute))?.[1]
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: seo.pageTitle?.value ?? product.title,
    description,
    sku,
    gtin,
    mpn,
    brand: brand === null ? null : { '@type': 'Brand', name: brand },
    category,
    image: image.length === 0 ? null : image,
    url,
    color: known(/^colou?r$/i),
    size: known(/^size$/i),
    material: known(/^material$/i),
    inProductGroupWithID: groupId,
    offers: offerOf(product)
  }
  const present = Object.fromEntries(Object.entries(data).filter(([, value]) => value != null && value !== ''))
  // A script element ends at "</script", wherever it occurs.
  return JSON.stringify(present).replaceAll('<', String.raw`\u003c`)
}

function offerOf({ price, currency, availability, url }: ProductRecord) {
  if (price === null || currency === null) return null
  return {
    '@type': 'Offer',
    // Text keeps all digits (https://schema.org/price).
    price,
    priceCurrency: currency,
    ...(availability === null ? {} : { availability: `https://schema.org/${AVAILABILITY[availability]}` }),
    ...(url === null ? {} : { url })
  }
}
