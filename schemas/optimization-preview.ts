import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, ProjectId } from './fields.ts'
import { ExternalId, SEO_SOURCES } from './product.ts'

/** Maximum number of products in a sample. */
export const MAX_SAMPLE = 100
/** Maximum number of products in one preview: a language model is called for each. */
export const MAX_PREVIEWED = 8

export const ProductSample = Type.Object(
  {
    externalIds: Type.Array(Type.String()),
    totalCount: Type.Integer({ minimum: 0, description: 'The number of products in the project' })
  },
  { $id: 'ProductSample' }
)
export type ProductSample = Static<typeof ProductSample>

export const OptimizationPreviewRequest = Type.Object(
  {
    projectId: ProjectId(),
    externalIds: Type.Array(ExternalId(), { minItems: 1, maxItems: MAX_PREVIEWED, uniqueItems: true }),
    compare: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to also ask the language model. Counts toward its budget' })
    )
  },
  { $id: 'OptimizationPreviewRequest', additionalProperties: false }
)

const Text = Type.Object({ value: Type.String(), source: OneOf(SEO_SOURCES) })
const PreviewedTexts = Type.Object({ metaTitle: Text, metaDescription: Text, pageTitle: Text })
export type PreviewedTexts = Static<typeof PreviewedTexts>

export const OptimizationPreview = Type.Object(
  {
    hasModel: Type.Boolean({ description: 'Whether a language model is configured' }),
    products: Type.Array(
      Type.Object({
        externalId: Type.String(),
        title: Type.String(),
        rules: PreviewedTexts,
        model: Nullable(PreviewedTexts, {
          description: 'The texts with a language model. A text that it lacks is from the rules. null without `compare`'
        }),
        problems: Type.Array(Type.String(), { description: 'Why texts of the language model are missing' })
      })
    )
  },
  { $id: 'OptimizationPreview' }
)
export type OptimizationPreview = Static<typeof OptimizationPreview>
