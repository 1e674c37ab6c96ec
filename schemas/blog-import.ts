import { Type, type Static } from '@sinclair/typebox'
import { BlogInput } from './blog.ts'
import { OneOf, ProjectId } from './fields.ts'
import { FieldProblem } from './problem.ts'

/** Maximum number of blogs in one request. The command line splits larger folders. */
export const MAX_IMPORT_BLOGS = 100
/** Maximum size of the request body, with images. */
export const IMPORT_BODY_BYTES = 64 * 1024 * 1024

const { projectId: _projectId, slug, ...fields } = BlogInput.properties

export const ImportedBlog = Type.Object(
  {
    ...fields,
    slug: Type.String({ ...slug, description: 'Identifies the blog' }),
    images: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 255 }),
            alt: Type.String({ maxLength: 500 }),
            base64: Type.String()
          },
          { additionalProperties: false }
        ),
        { maxItems: 100, description: 'The images that the text refers to by name' }
      )
    )
  },
  { $id: 'ImportedBlog', additionalProperties: false }
)
export type ImportedBlog = Static<typeof ImportedBlog>

export const BlogImport = Type.Object(
  {
    projectId: ProjectId(),
    blogs: Type.Array(Type.Unknown({ description: 'An ImportedBlog. Invalid items do not affect the others' }), {
      minItems: 1,
      maxItems: MAX_IMPORT_BLOGS
    })
  },
  { $id: 'BlogImport', additionalProperties: false }
)
export type BlogImport = Static<typeof BlogImport>

export const BlogImportResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    slug: Type.Union([Type.String(), Type.Null()]),
    result: OneOf(['created', 'updated', 'unchanged', 'failed']),
    errors: Type.Array(FieldProblem),
    warnings: Type.Array(Type.String())
  },
  { $id: 'BlogImportResult' }
)
export type BlogImportResult = Static<typeof BlogImportResult>
