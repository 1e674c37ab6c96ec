import type { ImportedBlog } from '../../schemas/blog-import.ts'
import type { ProjectInput } from '../../schemas/project.ts'

/** The initial content of the demo account. */
export interface DemoContent {
  projects: ProjectInput[]
  blogs: { projectId: string; blog: ImportedBlog }[]
  products: { projectId: string; products: unknown[] }[]
  /** A product file with an invalid row. */
  priceList: Buffer
}

/**
 * The content with the addresses of this service: the files name websites and pictures under the reserved domain
 * `.example` (RFC 2606), which nobody can open. `https://<project>.example` becomes `<baseUrl>/<project>` in the
 * settings of projects, and `https://images.<project>.example` in the pictures of products.
 */
export function placeContent({ projects, blogs, products, ...others }: DemoContent, baseUrl: string): DemoContent {
  return {
    ...others,
    projects: projects.map((project) => ({ ...project, siteUrl: `${baseUrl}/${project.id}` })),
    blogs,
    products: products.map((batch) => ({
      ...batch,
      products: batch.products.map((product) => withPicture(product as { imageUrl?: string }, batch.projectId, baseUrl))
    }))
  }
}

function withPicture(product: { imageUrl?: string }, projectId: string, baseUrl: string): unknown {
  if (product.imageUrl === undefined) return product
  return {
    ...product,
    imageUrl: product.imageUrl.replace(`https://images.${projectId}.example/`, `${baseUrl}/${projectId}/`)
  }
}
