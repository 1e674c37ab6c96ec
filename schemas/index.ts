import type { TSchema } from '@sinclair/typebox'
import { Account, AccountAdminPatch, AccountPatch, Usage, UsageHour } from './account.ts'
import { ApiKey, ApiKeyInput, ApiKeyList, ApiKeyPatch, ApiKeyWithValue } from './api-key.ts'
import { Blog, BlogDraft, BlogInput, BlogList, BlogListItem, BlogPatch, BlogRedirect, BlogSummary, CategoryCount, RemovedBlog } from './blog.ts'
import { BlogImport, BlogImportResult, ImportedBlog } from './blog-import.ts'
import { Image, ImageList } from './image.ts'
import { Problem } from './problem.ts'
import { Project, ProjectInput, ProjectList, ProjectPatch } from './project.ts'

/** Every noun that the interface's document names; routes refer to them by name. */
export const nouns: TSchema[] = [
  Account, AccountAdminPatch, AccountPatch, ApiKey, ApiKeyInput, ApiKeyList, ApiKeyPatch, ApiKeyWithValue,
  Blog, BlogDraft, BlogImport, BlogImportResult, BlogInput, BlogList, BlogListItem, BlogPatch, BlogRedirect, BlogSummary, CategoryCount, ImportedBlog, RemovedBlog,
  Image, ImageList, Problem, Project, ProjectInput, ProjectList, ProjectPatch, Usage, UsageHour
]
