import type { TSchema } from '@sinclair/typebox'
import { OptimizationPreview, OptimizationPreviewRequest, ProductSample } from './optimization-preview.ts'
import { Account, AccountAdminPatch, AccountPatch, Usage, UsageHour } from './account.ts'
import { AuditEntry, AuditList } from './audit.ts'
import { ApiKey, ApiKeyInput, ApiKeyList, ApiKeyPatch, ApiKeyWithValue } from './api-key.ts'
import {
  AuthorCount,
  Blog,
  BlogDraft,
  BlogInput,
  BlogList,
  BlogListItem,
  BlogPatch,
  BlogRedirect,
  BlogSummary,
  BlogTranslation,
  CategoryCount,
  RemovedBlog,
  TagCount
} from './blog.ts'
import { BlogImport, BlogImportResult, ImportedBlog } from './blog-import.ts'
import { BlogRevision, BlogRevisionDetail, BlogRevisionList } from './blog-revision.ts'
import { Event } from './event.ts'
import {
  BlogEvent,
  PingEvent,
  ProductImportCompletedEvent,
  ProductsOptimizedEvent,
  VisualCheckCompletedEvent
} from './event-bodies.ts'
import { Image, ImageList } from './image.ts'
import { Problem } from './problem.ts'
import {
  OptimizeRequest,
  Product,
  ProductBatch,
  ProductBatchResult,
  ProductInput,
  ProductList,
  ProductPatch,
  ProductQuality,
  ProductRow,
  UpsertedProduct,
  WebhookProduct
} from './product.ts'
import { ImportRowError, ProductImport, ProductImportList } from './product-import.ts'
import { Project, ProjectInput, ProjectList, ProjectPatch } from './project.ts'
import { DeadJob, DeadJobList, JobRetry, JobRetryResult, QueueState, QueueStateList } from './queue.ts'
import { Session, SessionInput } from './session.ts'
import { VisualCheck, VisualCheckInput, VisualCheckList, VisualCheckSummary, VisualFinding } from './visual-check.ts'
import {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  PingResult,
  Recovery,
  RecoveryRequest,
  SecretRotation,
  Webhook,
  WebhookInput,
  WebhookList,
  WebhookPatch,
  WebhookWithSecret
} from './webhook.ts'

/** The schemas of the API document's components. Routes refer to them by name. */
export const namedSchemas: TSchema[] = [
  Account,
  AccountAdminPatch,
  AccountPatch,
  ApiKey,
  ApiKeyInput,
  ApiKeyList,
  ApiKeyPatch,
  ApiKeyWithValue,
  AuditEntry,
  AuditList,
  AuthorCount,
  Blog,
  BlogDraft,
  BlogEvent,
  BlogImport,
  BlogImportResult,
  BlogInput,
  BlogList,
  BlogListItem,
  BlogPatch,
  BlogRedirect,
  BlogRevision,
  BlogRevisionDetail,
  BlogRevisionList,
  BlogSummary,
  BlogTranslation,
  CategoryCount,
  ImportedBlog,
  RemovedBlog,
  TagCount,
  DeadJob,
  DeadJobList,
  Delivery,
  DeliveryDetail,
  DeliveryList,
  Event,
  Image,
  ImageList,
  ImportRowError,
  JobRetry,
  JobRetryResult,
  OptimizationPreview,
  OptimizationPreviewRequest,
  OptimizeRequest,
  ProductSample,
  PingEvent,
  PingResult,
  Problem,
  Product,
  ProductBatch,
  ProductBatchResult,
  ProductImport,
  ProductImportCompletedEvent,
  ProductImportList,
  ProductInput,
  ProductList,
  ProductPatch,
  ProductQuality,
  ProductRow,
  ProductsOptimizedEvent,
  Project,
  ProjectInput,
  ProjectList,
  ProjectPatch,
  QueueState,
  QueueStateList,
  Recovery,
  RecoveryRequest,
  SecretRotation,
  Session,
  SessionInput,
  UpsertedProduct,
  Usage,
  UsageHour,
  VisualCheck,
  VisualCheckCompletedEvent,
  VisualCheckInput,
  VisualCheckList,
  VisualCheckSummary,
  VisualFinding,
  Webhook,
  WebhookInput,
  WebhookList,
  WebhookPatch,
  WebhookProduct,
  WebhookWithSecret
]
