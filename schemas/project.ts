import { Type, type Static } from '@sinclair/typebox'
import { Nullable, OneOf, ProjectId, Ref, Timestamp, Url } from './fields.ts'

const settings = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  siteUrl: Nullable(Url(), {
    description: "The address of the customer's website; links in feeds, sitemap and JSON-LD are built from it"
  }),
  blogPath: Type.String({
    pattern: '^(/[A-Za-z0-9._~-]+)*/?$',
    maxLength: 200,
    description: 'Where the website shows its blog; default /blog'
  }),
  brandName: Nullable(Type.String({ minLength: 1, maxLength: 100 }), {
    description: 'The publisher in JSON-LD and the brand in page titles'
  }),
  optimize: OneOf(['auto', 'manual'], { description: 'Whether products are optimized by themselves' })
}

export const Project = Type.Object(
  { id: ProjectId(), ...settings, createdAt: Timestamp(), updatedAt: Timestamp() },
  { $id: 'Project' }
)
export type Project = Static<typeof Project>

export const ProjectInput = Type.Object(
  { id: ProjectId(), ...Type.Partial(Type.Object(settings)).properties },
  { $id: 'ProjectInput', additionalProperties: false }
)
export type ProjectInput = Static<typeof ProjectInput>

export const ProjectPatch = Type.Partial(Type.Object(settings), {
  $id: 'ProjectPatch',
  additionalProperties: false,
  minProperties: 1
})
export type ProjectPatch = Static<typeof ProjectPatch>

export const ProjectList = Type.Object({ projects: Type.Array(Ref(Project)) }, { $id: 'ProjectList' })
