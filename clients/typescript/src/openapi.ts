// Generated from docs/openapi.json by `npm run docs`. Do not edit.

export interface paths {
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the account
         * @description Returns the plan, the limit and the features.
         *
         *     Requires the session token of a signed-in user.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the account
         * @description Requires the session token of a signed-in user.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/api/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve usage
         * @description Returns what the account stores and may store, the state of the rate limit, and the requests of each hour of the last 30 days.
         *
         *     Requires the session token of a signed-in user.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an account
         * @description Requires the session token of an administrator.
         */
        get: operations["getAnyAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an account
         * @description Changes the plan, the limit or the features, with immediate effect.
         *
         *     Requires the session token of an administrator.
         */
        patch: operations["updateAnyAccount"];
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/blogs/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import blogs
         * @description Identifies blogs by slug: existing blogs are updated, unchanged blogs are skipped. Valid blogs are imported even if others are invalid.
         *
         *     Requires the session token of an administrator.
         */
        post: operations["importBlogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/blogs/{blog}/visual-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a visual check of an account's blog
         * @description Responds immediately. Poll the check until it has finished. The check counts toward the limits of the account.
         *
         *     Requires the session token of an administrator.
         */
        post: operations["checkBlogVisuallyFor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/blogs/{blog}/visual-checks/{checkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an account's visual check
         * @description Requires the session token of an administrator.
         */
        get: operations["getVisualCheckFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/blogs/{blog}/visual-checks/{checkId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the report of an account's visual check
         * @description Requires the session token of an administrator.
         */
        get: operations["getVisualCheckReportFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/blogs/{blog}/visual-checks/{checkId}/screenshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a screenshot of an account's visual check
         * @description Requires the session token of an administrator.
         */
        get: operations["getVisualCheckScreenshotFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an account's product texts for a shop
         * @description Requires the session token of an administrator.
         */
        get: operations["exportProductsFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a product file for an account
         * @description Requires the session token of an administrator.
         */
        post: operations["createProductImportFor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an account's import
         * @description Requires the session token of an administrator.
         */
        get: operations["getProductImportFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/imports/{importId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the failed rows of an account's import
         * @description Requires the session token of an administrator.
         */
        get: operations["getProductImportErrorsFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Optimize an account's products
         * @description Requires the session token of an administrator.
         */
        post: operations["optimizeProductsFor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/preview-optimization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the texts of an account's products
         * @description Generates the texts like an optimization, and saves nothing.
         *
         *     Requires the session token of an administrator.
         */
        post: operations["previewOptimizationFor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/accounts/{accountId}/products/sample": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a sample of an account's products
         * @description Evenly spread over the project, in order of `externalId`.
         *
         *     Requires the session token of an administrator.
         */
        get: operations["sampleProductsFor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data
         * @description Returns NDJSON: a line `export`, a line for each record and file, and a line `end` with the count and a checksum. An export without the last line is incomplete. API key values are not included; signing secrets are encrypted. Import the file with `svc import`.
         *
         *     Requires the session token of an administrator.
         */
        get: operations["exportEverything"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List job queues
         * @description Requires the session token of an administrator.
         */
        get: operations["listQueues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/queues/{job}/dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dead jobs
         * @description Newest first. Dead jobs have used up their attempts. They are kept for some time and can be retried.
         *
         *     Requires the session token of an administrator.
         */
        get: operations["listDeadJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/queues/{job}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry dead jobs
         * @description Requeues one dead job by id, or all of them, with a new series of attempts. Jobs are idempotent.
         *
         *     Requires the session token of an administrator.
         */
        post: operations["retryDeadJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/secrets/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Re-encrypt signing secrets
         * @description Re-encrypts the signing secrets of all webhooks with the first key of SECRETS_KEY. The other keys can be removed afterwards. Safe to repeat, and safe while the service is running.
         *
         *     Requires the session token of an administrator.
         */
        post: operations["rotateSecretsKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Returns who changed what in the account, newest first: with API keys, in the console, by administrators and by the service itself. Imports and batches are one entry each. Entries contain the names of changed fields, and never secrets or content.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `audit:read`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the events of the last 30 days after the sequence `after`, in order, with or without a webhook. To continue, pass `next` of the response as `after`. If the events of the account have more than a fifth of the bytes that it may store (at least 64 MiB), the oldest ones are deleted earlier. Then the list continues with the oldest event that is left.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Values are not included.
         *
         *     Requires the session token of a signed-in user.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The key has all scopes unless `scopes` is given. Store the value: it is returned only once.
         *
         *     Requires the session token of a signed-in user.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description The key becomes invalid immediately.
         *
         *     Requires the session token of a signed-in user.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Update an API key
         * @description Changes the name, the scopes, the expiry or `disabled`, with immediate effect.
         *
         *     Requires the session token of a signed-in user.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Replaces the value. The old value becomes invalid immediately. The id, name and scopes are kept.
         *
         *     Requires the session token of a signed-in user.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Requires the session token of a signed-in user.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Requires the session token of a signed-in user.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an empty project
         * @description Requires the session token of a signed-in user.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Update a project
         * @description Links in feeds, the sitemap and JSON-LD change immediately.
         *
         *     Requires the session token of a signed-in user.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a link
         * @description Exchanges the token of a sign-in link for a session token. `npm start` and `svc console` print such links. A link can be used once, within 15 minutes; the session lasts 8 hours.
         *
         *     Requires no credential.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List blogs
         * @description Returns published blogs, newest first unless `sort` is given. Use `include=content` to build a whole site from a few requests, and `updatedSince` to fetch changes. Read long lists with `cursor`: a page number counts all blogs before it.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogs"];
        put?: never;
        /**
         * Create a blog
         * @description Creates a blog from Markdown or HTML, as a draft unless `status` is `published`. The slug is generated from the title and the meta description from the text, unless they are given.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["createBlog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/authors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count blogs by author
         * @description Counts published blogs, the author of most blogs first. A blog with several authors counts for each.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogAuthors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/by-id/{blogId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a blog by id
         * @description Returns a blog in any state, with its status and its source. Send the ETag in If-Match to change the blog.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getBlogById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count blogs by category
         * @description Counts published blogs, the largest category first. Blogs without a category are not counted. Spellings that differ only in case are one category.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the JSON feed
         * @description Returns the newest 50 published blogs with their full text and an image. Links are built from the project's `siteUrl` and `blogPath`. The feed has at most 2 million characters of content, and is made of at most 8 million characters of sources; blogs beyond it have a description only.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the RSS feed
         * @description Returns the newest 50 published blogs with their full text and an image. Links are built from the project's `siteUrl` and `blogPath`. The feed has at most 2 million characters of content, and is made of at most 8 million characters of sources; blogs beyond it have a description only.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getRssFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/images/{blogId}/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an image
         * @description Images are never enlarged. `format=auto` follows the Accept header. Requests for images that exist are not limited. The rate limit counts sizes and formats that have to be created. Widths: 320, 640, 960, 1280, 1920. Formats: avif, webp, jpeg, png, auto.
         *
         *     Requires no credential.
         */
        get: operations["getBlogImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/redirects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the redirects of old slugs
         * @description Returns the former slugs of published blogs with their current slugs, for the redirects of static sites.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogRedirects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/sitemap.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the sitemap
         * @description Lists published blogs with their images and translations (`hreflang`). Links are built from the project's `siteUrl` and `blogPath`. With more than 50,000 blogs, the response is a sitemap index: serve the URLs that it names, which are `selfUrl` with the parameter `page`.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count blogs by tag
         * @description Counts published blogs, the most frequent tag first. Spellings that differ only in case are one tag.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the images of a blog
         * @description Requires an API key with the scope `images:read` or the session token of a signed-in user, and the account feature `images`.
         */
        get: operations["listBlogImages"];
        put?: never;
        /**
         * Upload an image
         * @description Accepts JPEG, PNG, WebP, AVIF and GIF files of at most 20 MB, up to 500 a blog, as a form with the parts `file` and `alt`, or as the raw body with `?filename=&alt=`. Uploading the same bytes again returns the existing image with status 200, with the new `alt` if one is sent. The text of the blog can refer to the image by its file name.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `images`.
         */
        post: operations["uploadBlogImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/images/{filename}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an image
         * @description Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `images`.
         */
        delete: operations["deleteBlogImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a preview
         * @description Returns the page of a preview link. The token is the only credential. The other parameters are settings of the project that apply to this page only, and are not saved. An empty value stands for null.
         *
         *     Requires no credential.
         */
        get: operations["showBlogPreview"];
        put?: never;
        /**
         * Create a preview link
         * @description Returns a signed URL that shows the current state of the blog for 24 hours, without a credential.
         *
         *     Requires an API key with the scope `blogs:write` or `previews:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["previewBlog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish or schedule a blog
         * @description A `publishAt` in the future schedules the blog.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["publishBlog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render unsaved changes
         * @description Returns the blog as readers would see it with these changes. Nothing is saved, so that an editor can show a live preview of a published blog. The URLs of its images carry a token that is valid for 24 hours.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["renderBlog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a blog
         * @description Newest first, beginning with the current one. Each change of the title, the text or the metadata of a blog creates a revision. The operator limits their number; the oldest ones are deleted.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listBlogRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a revision of a blog
         * @description Returns the source that the blog had, as its author sent it.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getBlogRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a revision of a blog
         * @description Changes the blog to the source of the revision, and creates a new revision. The slug, the state and the publication date stay: a published blog remains published. Images that were deleted since do not return.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["restoreBlogRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish a blog
         * @description A published blog becomes unpublished; a scheduled blog becomes a draft.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        post: operations["unpublishBlog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/visual-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a visual check
         * @description Opens the page in a browser at mobile and desktop viewport sizes, and compares the rendered page with the blog. Waits for the result and responds with 200: `overallScore` is a number, also for pages that cannot be opened. Responds with 202 and the URL of the check to requests with `Prefer: respond-async`, if the check is still queued after 25 seconds, and if it takes longer than 90 seconds. Responds with 503 if the service itself cannot run the check. An account may have four unfinished checks.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `visual-check`.
         */
        post: operations["checkBlogVisually"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/visual-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the visual checks of a blog
         * @description Newest first, with score and time: the history of the pages of the blog. Checks and their screenshots are kept for 30 days.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `visual-check`.
         */
        get: operations["listVisualChecks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/visual-checks/{checkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a visual check
         * @description Returns a finished check, or the state of a check in progress: poll until `finishedAt` is set. A check with the status `failed` has no score: `reason` says why the service could not run it.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `visual-check`.
         */
        get: operations["getVisualCheck"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/visual-checks/{checkId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the report of a visual check
         * @description Returns one HTML file with the score, the history of the page, the findings and the screenshots. The file loads nothing: save it, or show it in a sandboxed frame. It has crops and the full page for checks with `screenshots: full`.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `visual-check`.
         */
        get: operations["getVisualCheckReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{blogId}/visual-checks/{checkId}/screenshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a screenshot
         * @description Returns a WebP image. `screenshots` of the check lists the URLs.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `visual-check`.
         */
        get: operations["getVisualCheckScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/blogs/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a blog by slug
         * @description Returns a published blog with its HTML, CSS and JSON-LD. A former slug responds with 308 and the URL of the current slug. Slugs are unique within a project: if several projects of the API key have a blog with the slug, the one published last is returned, and the header `Slug-Also-In` names the other projects.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["getBlog"];
        put?: never;
        post?: never;
        /**
         * Delete a blog
         * @description Deletes a blog and its images. Its URLs then respond with 404 and the code blog_gone.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        delete: operations["deleteBlog"];
        options?: never;
        head?: never;
        /**
         * Update a blog
         * @description Omitted fields keep their values; null clears a field. A former public slug redirects to the new one.
         *
         *     Requires an API key with the scope `blogs:write` or the session token of a signed-in user, and the account feature `blogs`.
         */
        patch: operations["updateBlog"];
        trace?: never;
    };
    "/api/v1/blogs/{slug}/related": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List related blogs
         * @description Returns the most similar published blogs of the same project and language by text, tags and category. If there are too few, the newest blogs of the project in this language complete the list with score 0.
         *
         *     Requires an API key with the scope `blogs:read` or the session token of a signed-in user, and the account feature `blogs`.
         */
        get: operations["listRelatedBlogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Ordered by `externalId`, with the generated SEO texts.
         *
         *     Requires an API key with the scope `products:read` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create or update a product
         * @description Identifies the product by `projectId` and `externalId`. Omitted fields keep their values, null clears a field, and a list replaces the existing list.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        post: operations["upsertProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update products in a batch
         * @description Accepts up to 5,000 products and 16 MB. Valid products are written even if others are invalid. `errors` lists the invalid products, and `created + updated + failed` is the number of products sent. With `Prefer: respond-async` the response is 202 and an import.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        post: operations["importProductBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export product texts for a shop
         * @description A CSV file that Shopify or WooCommerce imports, with one row for each page.
         *
         *     Requires an API key with the scope `products:read` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["exportProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Newest first. Finished imports are kept for 30 days.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["listProductImports"];
        put?: never;
        /**
         * Import a product file
         * @description Accepts NDJSON and CSV files of up to 1 GiB, optionally compressed with gzip. A CSV file may have our columns, or those of a Shopify or WooCommerce export or a Google Merchant feed. The header row tells them apart. The rows are processed in the background.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        post: operations["createProductImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an import
         * @description Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["getProductImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/imports/{importId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an import
         * @description Rows that were already imported are kept.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        post: operations["cancelProductImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/imports/{importId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download failed rows
         * @description Returns the failed rows in their original format, with the error in `import_error` (CSV) or `_error` (NDJSON). Fix the rows and upload the file again. `as=report` returns NDJSON lines `{line, externalId, errors}`.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["getProductImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Optimize products
         * @description Generates the SEO texts of some or all products of a project. Products with unchanged inputs are skipped unless `force` is true.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        post: operations["optimizeProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count problems of product texts
         * @description The products with a problem are listed by `GET /api/v1/products?quality=`.
         *
         *     Requires an API key with the scope `products:read` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["getProductQuality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a product
         * @description Requires an API key with the scope `products:read` or the session token of a signed-in user, and the account feature `products`.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product
         * @description Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Update a product
         * @description Omitted fields keep their values; null clears a field. `seo` sets manual values, which are never overwritten.
         *
         *     Requires an API key with the scope `products:write` or the session token of a signed-in user, and the account feature `products`.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description New events are sent to the URL. The signing secret is returned only here and after a rotation.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a delivery
         * @description Returns a delivery with its attempts and the exact body.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event
         * @description Sends the same id and the same bytes with a new series of attempts, in any state of the delivery.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/recoveries/{recoveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a recovery
         * @description Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:read`.
         */
        get: operations["getRecovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a webhook
         * @description Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook and its deliveries.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description While a webhook is disabled, its events are recorded as skipped. Send them with `recover`.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Newest first. Deliveries are stored as long as their events, for at most 30 days.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook
         * @description Enables a disabled or paused webhook, and sends its pending deliveries.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover missed deliveries
         * @description Redelivers all failed and skipped deliveries of a period in the background.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret
         * @description The old secret remains valid for `overlapHours`. During this time events are signed with both secrets.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a ping
         * @description Sends a signed `ping` event with sequence 0 once, without retries. The delivery is not recorded.
         *
         *     Requires the session token of a signed-in user, or an API key that is not restricted to projects, with the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Responds with 503 if the store or the files are unreachable, damaged or cannot be written. A write is tried every 10 seconds (`HEALTH_PROBE_SECONDS`). `missing` lists the dependencies that do not respond or cannot write.
         *
         *     Without Redis, requests are served: each process enforces rate limits on its own, and jobs wait. Only processes with `ROLE=worker` respond with 503.
         *
         *     Requires no credential. Not rate limited.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Requires no credential. Not rate limited.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Responds with 503 if the store or the files are unreachable, damaged or cannot be written. A write is tried every 10 seconds (`HEALTH_PROBE_SECONDS`). `missing` lists the dependencies that do not respond or cannot write.
         *
         *     Without Redis, requests are served: each process enforces rate limits on its own, and jobs wait. Only processes with `ROLE=worker` respond with 503.
         *
         *     Requires no credential. Not rate limited.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve metrics
         * @description Returns the metrics of this process in the Prometheus text format. Responds with 404 if METRICS is off.
         *
         *     Requires no credential. Not rate limited.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "products.optimized": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * SEO texts of products have changed
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onProductsOptimized"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "products.import.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An import has finished
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onProductsImportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "blog.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A blog was published, or a published blog moved to this project
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onBlogPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "blog.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A published blog was changed
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onBlogUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "blog.unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A blog was unpublished, or a published blog moved to another project
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onBlogUnpublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "blog.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A blog that had been published was deleted
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onBlogDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "visual_check.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A visual check has finished or failed
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onVisualCheckCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test event was requested
         * @description Sent to every subscribed webhook until it responds with 2xx. Verify the signature of the raw body before parsing.
         */
        post: operations["onPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            id: string;
            plan: components["schemas"]["Plan"];
            /** @description The limit of the plan, or the custom limit of the account */
            requestsPerHour: number;
            features: components["schemas"]["Feature"][];
            /** @description The storage limits of the plan, or the custom limits of the account */
            storage: components["schemas"]["StorageLimits"];
            /** @description Whether 304 responses count against the request limit */
            countNotModified: boolean;
            /** @description Whether writes to unknown projects are rejected. Otherwise they create the project */
            knownProjectsOnly: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        AccountAdminPatch: {
            plan?: components["schemas"]["Plan"];
            /** @description A custom limit, or null for the limit of the plan */
            requestsPerHour?: number | null;
            features?: components["schemas"]["Feature"][];
            /** @description Custom storage limits, or null for the limit of the plan. Limits that are left out stay */
            storage?: components["schemas"]["StorageLimitsPatch"];
            /** @description With `false`, a 304 response is not counted if nothing of the account was published or changed since the process last made the response */
            countNotModified?: boolean;
            knownProjectsOnly?: boolean;
        };
        AccountPatch: {
            knownProjectsOnly?: boolean;
        };
        AccountStorageUsage: {
            /** @description Bytes of records and uploaded files */
            bytes: components["schemas"]["StorageUsage"];
            /** @description Blogs in any state */
            blogs: components["schemas"]["StorageUsage"];
            /** @description Products of all projects */
            products: components["schemas"]["StorageUsage"];
            /** @description Uploaded images */
            images: components["schemas"]["StorageUsage"];
            /** @description Active API keys */
            apiKeys: components["schemas"]["StorageUsage"];
            /** @description Webhooks */
            webhooks: components["schemas"]["StorageUsage"];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** @description Must not be blank */
            name: string;
            /** @description Default: blogs:read, blogs:write, products:read, products:write, images:read */
            scopes: components["schemas"]["ApiKeyScope"][];
            status: components["schemas"]["ApiKeyStatus"];
            /** @description The first characters of the value */
            prefix: string;
            last4: string;
            /** @description The projects that the key is restricted to, or null for all */
            projectIds: string[] | null;
            /** @description Increases with each rotation */
            generation: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        ApiKeyInput: {
            /** @description Must not be blank */
            name: string;
            /** @description Default: blogs:read, blogs:write, products:read, products:write, images:read */
            scopes?: components["schemas"]["ApiKeyScope"][];
            /** Format: date-time */
            expiresAt?: string | null;
            projectIds?: string[] | null;
        };
        ApiKeyList: {
            keys: components["schemas"]["ApiKey"][];
        };
        ApiKeyPatch: {
            /** @description Must not be blank */
            name?: string;
            /** @description Default: blogs:read, blogs:write, products:read, products:write, images:read */
            scopes?: components["schemas"]["ApiKeyScope"][];
            /** Format: date-time */
            expiresAt?: string | null;
            disabled?: boolean;
        };
        /** @enum {string} */
        ApiKeyScope: "blogs:read" | "blogs:write" | "products:read" | "products:write" | "images:read" | "previews:write" | "webhooks:read" | "webhooks:write" | "events:read" | "audit:read";
        /** @enum {string} */
        ApiKeyStatus: "active" | "disabled" | "expired";
        ApiKeyWithValue: {
            /** Format: uuid */
            id: string;
            /** @description Must not be blank */
            name: string;
            /** @description Default: blogs:read, blogs:write, products:read, products:write, images:read */
            scopes: components["schemas"]["ApiKeyScope"][];
            status: components["schemas"]["ApiKeyStatus"];
            /** @description The first characters of the value */
            prefix: string;
            last4: string;
            /** @description The projects that the key is restricted to, or null for all */
            projectIds: string[] | null;
            /** @description Increases with each rotation */
            generation: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** @description The value. It is returned only once, and is missing from replayed responses */
            key?: string;
        };
        /** @enum {string} */
        AuditAction: "blog.created" | "blog.updated" | "blog.restored" | "blog.scheduled" | "blog.published" | "blog.unpublished" | "blog.deleted" | "blog.image_added" | "blog.image_deleted" | "blog.batch_imported" | "product.created" | "product.updated" | "product.deleted" | "product.batch_imported" | "product.import_started" | "product.import_canceled" | "product.optimization_requested" | "project.created" | "project.updated" | "project.deleted" | "webhook.created" | "webhook.updated" | "webhook.enabled" | "webhook.disabled" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.event_redelivered" | "webhook.recovery_started" | "key.created" | "key.updated" | "key.rotated" | "key.deleted" | "session.created" | "session.rejected" | "account.updated" | "secrets.reencrypted" | "queue.jobs_retried";
        AuditActor: {
            /** @description `key`: an API key. `session`: a signed-in user. `admin`: an administrator of the service. `system`: the service itself, such as when it publishes a scheduled blog */
            type: components["schemas"]["AuditActorType"];
            /** @description The id of the key, or the `sub` of the session token */
            id: string | null;
            /** @description The name of the key at this time */
            name: string | null;
            /** @description The first characters of the key at this time */
            prefix: string | null;
        };
        /** @enum {string} */
        AuditActorType: "key" | "session" | "admin" | "system";
        AuditChange: {
            field: string;
            /** @description The new value of a setting with few possible values, or a count. Missing for all other fields */
            to?: string | number | boolean | null;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            actor: components["schemas"]["AuditActor"];
            action: components["schemas"]["AuditAction"];
            target: components["schemas"]["AuditTarget"];
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string | null;
            /** @description The fields that the request set */
            changes: components["schemas"]["AuditChange"][];
            /** @description The `X-Request-Id` of the response; null for the system */
            requestId: string | null;
            /** @description The address of the client, personal data. null for the system, and for administrators of the service unless an administrator reads the log */
            ipAddress: string | null;
        };
        AuditList: {
            entries: components["schemas"]["AuditEntry"][];
            /** @description The `cursor` of the next page; null on the last one */
            nextCursor: string | null;
        };
        AuditTarget: {
            type: components["schemas"]["AuditTargetType"];
            id: string | null;
            /** @description Its title or name at this time; for a webhook, the host of its URL */
            label: string | null;
        };
        /** @enum {string} */
        AuditTargetType: "blog" | "product" | "import" | "project" | "webhook" | "key" | "session" | "account" | "queue" | "service";
        Author: {
            name: string;
            url: string | null;
        };
        AuthorCount: {
            /** @description The name of the author */
            author: string;
            count: number;
        };
        AuthorInput: {
            name: string;
            /** Format: uri */
            url?: string | null;
        };
        Blog: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            title: string;
            /** @description Lowercase words joined by hyphens, unique within the project */
            slug: string;
            /** @description The title for the title element and search results. Default: the title */
            metaTitle: string;
            metaDescription: string;
            /** @description The image for cards and lists. Default: the first image of the text */
            cover: components["schemas"]["BlogCover"] | null;
            /** @description The URL of the social image. Generated images are 1200 × 630 */
            ogImageUrl: string;
            /** Format: date-time */
            publishedAt: string;
            /** Format: date-time */
            updatedAt: string;
            locale: string;
            /** @description The value of the attribute `lang` for the title and other texts: the locale */
            lang: string;
            /** @description The value of the attribute `dir`: the writing direction of the language */
            dir: components["schemas"]["TextDirection"];
            category: string | null;
            tags: string[];
            /** @description The first of the `authors` */
            author: components["schemas"]["Author"] | null;
            authors: components["schemas"]["Author"][];
            translationKey: string | null;
            /** @description The published blogs of the project with the same `translationKey`, including this one, ordered by `hreflang`. Empty if there is no other one. Of more than 100, only 100 are named */
            translations: components["schemas"]["BlogTranslation"][];
            excerpt: string;
            canonicalUrl: string | null;
            wordCount: number;
            readingTimeMinutes: number;
            /** @description The headings, up to 100,000 characters of JSON */
            headings: components["schemas"]["BlogHeading"][];
            /** @description The images of the text, up to 100,000 characters of JSON */
            images: components["schemas"]["BlogContentImage"][];
            version: number;
            /** @description The HTML of the body */
            htmlContent: string;
            /** @description The CSS of the body, scoped to it */
            cssContent: string;
            /** @description JSON-LD for a script element of type application/ld+json */
            schemaOrgJson: string;
            /** @description With `include=related`: the related blogs */
            related?: components["schemas"]["BlogSummary"][];
        };
        BlogContentImage: {
            url: string;
            alt: string;
            width: number | null;
            height: number | null;
        };
        BlogCover: {
            url: string;
            /** @description For `srcset` of an `img`; null for images of other servers */
            srcset: string | null;
            width: number | null;
            height: number | null;
            alt: string;
        };
        BlogCoverInput: {
            /** @description The file name of an uploaded image, or an https URL. Must not be blank */
            url: string;
            /** @description Default: the text alternative of the uploaded image */
            alt?: string;
            width?: number | null;
            height?: number | null;
        };
        /** @description A blog in any state, with its source */
        BlogDraft: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            title: string;
            /** @description Lowercase words joined by hyphens, unique within the project */
            slug: string;
            /** @description The title for the title element and search results. Default: the title */
            metaTitle: string;
            metaDescription: string;
            /** @description The image for cards and lists. Default: the first image of the text */
            cover: components["schemas"]["BlogCover"] | null;
            /** @description The URL of the social image. Generated images are 1200 × 630 */
            ogImageUrl: string;
            /** Format: date-time */
            publishedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
            locale: string;
            /** @description The value of the attribute `lang` for the title and other texts: the locale */
            lang: string;
            /** @description The value of the attribute `dir`: the writing direction of the language */
            dir: components["schemas"]["TextDirection"];
            category: string | null;
            tags: string[];
            /** @description The first of the `authors` */
            author: components["schemas"]["Author"] | null;
            authors: components["schemas"]["Author"][];
            translationKey: string | null;
            /** @description The published blogs of the project with the same `translationKey`, including this one, ordered by `hreflang`. Empty if there is no other one. Of more than 100, only 100 are named */
            translations: components["schemas"]["BlogTranslation"][];
            excerpt: string;
            canonicalUrl: string | null;
            wordCount: number;
            readingTimeMinutes: number;
            /** @description The headings, up to 100,000 characters of JSON */
            headings: components["schemas"]["BlogHeading"][];
            /** @description The images of the text, up to 100,000 characters of JSON */
            images: components["schemas"]["BlogContentImage"][];
            version: number;
            /** @description The HTML of the body */
            htmlContent: string;
            /** @description The CSS of the body, scoped to it */
            cssContent: string;
            /** @description JSON-LD for a script element of type application/ld+json */
            schemaOrgJson: string;
            status: components["schemas"]["BlogStatus"];
            /**
             * Format: date-time
             * @description The publication time of a scheduled blog
             */
            publishAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The source of the blog */
            source: components["schemas"]["BlogSource"];
            /** @description Removed content and possible problems */
            warnings: string[];
        };
        BlogEvent: {
            /**
             * Format: uuid
             * @description The event id, the same in every attempt. Use it to process an event once
             */
            id: string;
            /** @description The version of the format. Within a version, fields are only added */
            apiVersion: string;
            /**
             * Format: date-time
             * @description The time of the event
             */
            timestamp: string;
            /** @description Increases by one with every event of the webhook. 0 for a ping */
            sequence: number;
            type: components["schemas"]["BlogEventType"];
            data: components["schemas"]["BlogEventData"];
        };
        BlogEventData: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            slug: string;
            /** @description The former slug, if it has changed */
            previousSlug: string | null;
            title: string;
            locale: string;
            category: string | null;
            /** @description The paths of the website whose content has changed */
            paths: string[];
            /** @description Increases with every change of the blog */
            contentVersion: number;
            /** Format: date-time */
            publishedAt: string | null;
        };
        /** @enum {string} */
        BlogEventType: "blog.published" | "blog.updated" | "blog.unpublished" | "blog.deleted";
        BlogHeading: {
            level: number;
            text: string;
            /** @description The id of the heading in `htmlContent` */
            id: string;
        };
        BlogImage: {
            filename: string;
            url: string;
            width: number;
            height: number;
            alt: string;
            bytes: number;
            /** @description The available widths */
            sizes: components["schemas"]["BlogImageSize"][];
        };
        BlogImageList: {
            images: components["schemas"]["BlogImage"][];
        };
        BlogImageSize: {
            width: number;
            url: string;
        };
        BlogImageUpload: {
            /**
             * Format: binary
             * @description The image file
             */
            file: string;
            /**
             * @description The alternative text of the image
             * @example A kettle pours a thin stream into a coral dripper
             */
            alt?: string;
            /**
             * @description The file name. Default: the name of the uploaded file
             * @example pour-over-87e4d031f733.webp
             */
            filename?: string;
        };
        BlogImport: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            blogs: components["schemas"]["ImportedBlog"][];
        };
        /** @enum {string} */
        BlogImportOutcome: "created" | "updated" | "unchanged" | "failed";
        BlogImportResult: {
            index: number;
            slug: string | null;
            result: components["schemas"]["BlogImportOutcome"];
            errors: components["schemas"]["FieldError"][];
            warnings: string[];
        };
        BlogImportResults: {
            results: components["schemas"]["BlogImportResult"][];
        };
        BlogInput: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            /** @description Must not be blank */
            title: string;
            /** @description Default: generated from the title. Lowercase letters, digits, and single hyphens between them */
            slug?: string;
            /** @description CommonMark with GFM tables, strikethrough, autolinks, task lists and footnotes. Mutually exclusive with `html` */
            markdown?: string;
            /** @description Mutually exclusive with `markdown` */
            html?: string;
            css?: string | null;
            /** @description Default: the title */
            metaTitle?: string | null;
            /** @description Default: generated from `excerpt`, or else from the text */
            metaDescription?: string | null;
            /** @description Default: generated from the text */
            excerpt?: string | null;
            /** @description `width` and `height` are only needed for images of other servers */
            cover?: components["schemas"]["BlogCoverInput"] | null;
            /** Format: uri */
            ogImageUrl?: string | null;
            /** @description Must not be blank */
            category?: string | null;
            tags?: string[];
            /** @description The only author. Mutually exclusive with `authors` */
            author?: components["schemas"]["AuthorInput"] | null;
            authors?: components["schemas"]["AuthorInput"][];
            /** @description Blogs of a project with the same key are translations of each other. At most one blog for each language, script and region. Must not be blank */
            translationKey?: string | null;
            /** @description Default: en. A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string;
            /** Format: uri */
            canonicalUrl?: string | null;
            /**
             * Format: date-time
             * @description The publication date, not in the future. Default: the time of publication
             */
            publishedAt?: string;
            status?: components["schemas"]["NewBlogStatus"];
        };
        BlogList: {
            blogs: components["schemas"]["BlogListItem"][];
            /** @description Missing with `cursor` */
            totalCount?: number;
            /** @description Missing with `cursor` */
            page?: number;
            /** @description Missing with `cursor` */
            totalPages?: number;
            /** @description The `cursor` of the next page; null on the last one */
            nextCursor: string | null;
            /** @description With `updatedSince`: blogs that are no longer public, or moved to another project, the first removed first, at most 1,000 in a page */
            deleted?: components["schemas"]["RemovedBlog"][];
            /** @description With `updatedSince`: whether `deleted` goes on in the next page, by `nextCursor` or `page` */
            moreDeleted?: boolean;
        };
        BlogListItem: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            title: string;
            /** @description Lowercase words joined by hyphens, unique within the project */
            slug: string;
            /** @description The title for the title element and search results. Default: the title */
            metaTitle: string;
            metaDescription: string;
            /** @description The image for cards and lists. Default: the first image of the text */
            cover: components["schemas"]["BlogCover"] | null;
            /** @description The URL of the social image. Generated images are 1200 × 630 */
            ogImageUrl: string;
            /** Format: date-time */
            publishedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
            locale: string;
            /** @description The value of the attribute `lang` for the title and other texts: the locale */
            lang: string;
            /** @description The value of the attribute `dir`: the writing direction of the language */
            dir: components["schemas"]["TextDirection"];
            category: string | null;
            tags: string[];
            /** @description The first of the `authors` */
            author: components["schemas"]["Author"] | null;
            authors: components["schemas"]["Author"][];
            translationKey: string | null;
            /** @description The published blogs of the project with the same `translationKey`, including this one, ordered by `hreflang`. Empty if there is no other one. Of more than 100, only 100 are named */
            translations: components["schemas"]["BlogTranslation"][];
            excerpt: string;
            canonicalUrl: string | null;
            wordCount: number;
            readingTimeMinutes: number;
            /** @description The headings, up to 100,000 characters of JSON */
            headings: components["schemas"]["BlogHeading"][];
            /** @description The images of the text, up to 100,000 characters of JSON */
            images: components["schemas"]["BlogContentImage"][];
            version: number;
            /** @description The HTML of the body */
            htmlContent?: string;
            /** @description The CSS of the body, scoped to it */
            cssContent?: string;
            /** @description JSON-LD for a script element of type application/ld+json */
            schemaOrgJson?: string;
            status?: components["schemas"]["BlogStatus"];
            /**
             * Format: date-time
             * @description With `status` in the query: the publication time of a scheduled blog
             */
            publishAt?: string | null;
        };
        /** @description Omitted fields keep their values; null clears a field. Change the state with publish and unpublish */
        BlogPatch: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId?: string;
            /** @description Must not be blank */
            title?: string;
            /** @description Default: generated from the title. Lowercase letters, digits, and single hyphens between them */
            slug?: string;
            /** @description CommonMark with GFM tables, strikethrough, autolinks, task lists and footnotes. Mutually exclusive with `html` */
            markdown?: string;
            /** @description Mutually exclusive with `markdown` */
            html?: string;
            css?: string | null;
            /** @description Default: the title */
            metaTitle?: string | null;
            /** @description Default: generated from `excerpt`, or else from the text */
            metaDescription?: string | null;
            /** @description Default: generated from the text */
            excerpt?: string | null;
            /** @description `width` and `height` are only needed for images of other servers */
            cover?: components["schemas"]["BlogCoverInput"] | null;
            /** Format: uri */
            ogImageUrl?: string | null;
            /** @description Must not be blank */
            category?: string | null;
            tags?: string[];
            /** @description The only author. Mutually exclusive with `authors` */
            author?: components["schemas"]["AuthorInput"] | null;
            authors?: components["schemas"]["AuthorInput"][];
            /** @description Blogs of a project with the same key are translations of each other. At most one blog for each language, script and region. Must not be blank */
            translationKey?: string | null;
            /** @description Default: en. A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string;
            /** Format: uri */
            canonicalUrl?: string | null;
            /**
             * Format: date-time
             * @description The publication date, not in the future. Default: the time of publication
             */
            publishedAt?: string;
        };
        BlogPreview: {
            url: string;
            /** @description For `GET /blogs/{slug}?preview=`, on your own site */
            token: string;
            /** Format: date-time */
            expiresAt: string;
        };
        BlogPublication: {
            /** Format: date-time */
            publishAt?: string;
        };
        BlogRedirect: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            from: string;
            to: string;
        };
        BlogRevision: {
            /** @description The number of the revision, from 1 */
            revision: number;
            /** @description Whether the blog has this source now */
            isCurrent: boolean;
            /** @description The version of the blog in which the revision was saved */
            version: number;
            title: string;
            /** @description The state of the blog now, or when the revision was replaced */
            status: components["schemas"]["BlogStatus"];
            /** Format: date-time */
            savedAt: string;
            /** @description Null if the service made the change, or if the author was not recorded */
            savedBy: components["schemas"]["BlogRevisionAuthor"] | null;
            /** @description The fields that differ from the revision before. Empty for the first one */
            changedFields: components["schemas"]["BlogRevisionField"][];
            /** @description The number of the revision that was restored */
            restoredFrom: number | null;
        };
        BlogRevisionAuthor: {
            type: components["schemas"]["BlogRevisionAuthorType"];
            /** @description The id of the API key, or the user of the session token */
            id: string;
            /** @description The name that the key had. Null for a user */
            name: string | null;
        };
        /** @enum {string} */
        BlogRevisionAuthorType: "key" | "user";
        /** @description A revision of a blog, with its source */
        BlogRevisionDetail: {
            /** @description The number of the revision, from 1 */
            revision: number;
            /** @description Whether the blog has this source now */
            isCurrent: boolean;
            /** @description The version of the blog in which the revision was saved */
            version: number;
            title: string;
            /** @description The state of the blog now, or when the revision was replaced */
            status: components["schemas"]["BlogStatus"];
            /** Format: date-time */
            savedAt: string;
            /** @description Null if the service made the change, or if the author was not recorded */
            savedBy: components["schemas"]["BlogRevisionAuthor"] | null;
            /** @description The fields that differ from the revision before. Empty for the first one */
            changedFields: components["schemas"]["BlogRevisionField"][];
            /** @description The number of the revision that was restored */
            restoredFrom: number | null;
            locale: string;
            category: string | null;
            tags: string[];
            authors: components["schemas"]["Author"][];
            translationKey: string | null;
            /** @description The source of the blog */
            source: components["schemas"]["BlogSource"];
        };
        /** @enum {string} */
        BlogRevisionField: "title" | "format" | "text" | "css" | "metaTitle" | "metaDescription" | "excerpt" | "cover" | "ogImageUrl" | "canonicalUrl" | "category" | "tags" | "authors" | "translationKey" | "locale";
        BlogRevisionList: {
            revisions: components["schemas"]["BlogRevision"][];
            totalCount: number;
            page: number;
            totalPages: number;
        };
        /** @enum {string} */
        BlogSort: "-publishedAt" | "publishedAt" | "-updatedAt" | "updatedAt" | "title" | "-title" | "publishAt";
        BlogSource: {
            format: components["schemas"]["BlogSourceFormat"];
            /** @description The Markdown or HTML as sent */
            text: string;
            css: string | null;
            metaTitle: string | null;
            metaDescription: string | null;
            excerpt: string | null;
            /** @description `width` and `height` are only needed for images of other servers */
            cover: components["schemas"]["BlogCoverInput"] | null;
            ogImageUrl: string | null;
            canonicalUrl: string | null;
        };
        /** @enum {string} */
        BlogSourceFormat: "markdown" | "html";
        /** @enum {string} */
        BlogStatus: "draft" | "scheduled" | "published" | "unpublished";
        /** @enum {string} */
        BlogStatusFilter: "draft" | "scheduled" | "published" | "unpublished" | "any";
        BlogSummary: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @description Lowercase words joined by hyphens, unique within the project */
            slug: string;
            /** @description The title for the title element and search results. Default: the title */
            metaTitle: string;
            metaDescription: string;
            excerpt: string;
            /** @description The image for cards and lists. Default: the first image of the text */
            cover: components["schemas"]["BlogCover"] | null;
            /** @description The URL of the social image. Generated images are 1200 × 630 */
            ogImageUrl: string;
            /** Format: date-time */
            publishedAt: string;
            locale: string;
            authors: components["schemas"]["Author"][];
            category: string | null;
            tags: string[];
            /** @description The similarity, or 0 for blogs that only complete the list */
            score: number;
        };
        BlogTranslation: {
            /** Format: uuid */
            id: string;
            locale: string;
            /** @description The value of `hreflang` in a link element */
            hreflang: string;
            title: string;
            slug: string;
            /** @description The URL of the page; null without `siteUrl` */
            url: string | null;
        };
        CategoryCount: {
            category: string;
            count: number;
        };
        CheckerFonts: {
            /** @description Scripts of the text without a font on the checking machine */
            missing: string[];
        };
        /** @enum {string} */
        CodeTheme: "inherit" | "light" | "dark" | "plain";
        /** @enum {string} */
        ColorScheme: "inherit" | "light" | "dark" | "auto";
        DeadJob: {
            /** @description The id of the job in the queue */
            id: string;
            /** @description The job name */
            job: components["schemas"]["JobName"];
            /** @description The payload, which contains ids only */
            payload: {
                [key: string]: unknown;
            };
            attempts: number;
            /** @description The error of the last attempt */
            reason: string;
            /** Format: date-time */
            failedAt: string;
            /** @description The id of the request that added the job */
            requestId: string | null;
        };
        DeadJobList: {
            jobs: components["schemas"]["DeadJob"][];
        };
        Delivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            /** Format: uuid */
            eventId: string;
            event: components["schemas"]["EventType"];
            /** @description The sequence at this webhook, without gaps */
            sequence: number;
            status: components["schemas"]["DeliveryStatus"];
            /** @description The number of attempts */
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            lastStatus: number | null;
            lastError: components["schemas"]["DeliveryError"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
        };
        DeliveryAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            durationMs: number;
            status: number | null;
            error: components["schemas"]["DeliveryError"] | null;
            detail: string | null;
            /** @description The resolved IP address */
            address: string | null;
            /** @description The request headers without the signatures */
            requestHeaders: {
                [key: string]: string;
            };
            /** @description The first 4 KiB of the headers */
            responseHeaders: {
                [key: string]: string;
            };
            /** @description The beginning of the response: the first KiB of a successful one, up to 16 KiB of another one. Control characters count as six bytes. An account whose failed attempts stored 4 MiB in an hour stores the first KiB of each until the hour ends */
            response: string;
        };
        DeliveryDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            /** Format: uuid */
            eventId: string;
            event: components["schemas"]["EventType"];
            /** @description The sequence at this webhook, without gaps */
            sequence: number;
            status: components["schemas"]["DeliveryStatus"];
            /** @description The number of attempts */
            attempts: number;
            /** Format: date-time */
            nextAttemptAt: string | null;
            lastStatus: number | null;
            lastError: components["schemas"]["DeliveryError"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
            attemptLog: components["schemas"]["DeliveryAttempt"][];
            /** @description The exact body of every attempt */
            body: string;
        };
        /** @enum {string} */
        DeliveryError: "dns" | "blocked" | "connect" | "tls" | "timeout" | "reset" | "http_4xx" | "http_5xx" | "redirect" | "too_large";
        DeliveryList: {
            deliveries: components["schemas"]["Delivery"][];
            totalCount: number;
            page: number;
            totalPages: number;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed" | "skipped";
        EventList: {
            events: components["schemas"]["EventLogEntry"][];
            /** @description The value of `after` for the next request */
            next: number;
        };
        EventLogEntry: {
            /** Format: uuid */
            id: string;
            type: components["schemas"]["EventType"];
            apiVersion: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Increases by one with every event of the account */
            sequence: number;
            data: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        EventType: "products.optimized" | "products.import.completed" | "blog.published" | "blog.updated" | "blog.unpublished" | "blog.deleted" | "visual_check.completed";
        /** @enum {string} */
        Feature: "blogs" | "images" | "products" | "visual-check" | "webhooks";
        FieldError: {
            /** @description A JSON pointer (RFC 6901) into the body, or the name of a parameter */
            pointer: string;
            code: string;
            message: string;
        };
        /** @enum {string} */
        FindingCategory: "content" | "layout" | "media" | "style" | "readability" | "metadata" | "runtime";
        /** @enum {string} */
        FindingConfidence: "certain" | "review" | "flaky";
        FindingLocation: {
            viewport: components["schemas"]["Viewport"];
            /** @description CSS selector of the element */
            selector: string;
            /** @description CSS pixels, relative to the top left corner of the page */
            box: components["schemas"]["PageBox"] | null;
            /** @description Index of the text block in `htmlContent`, from 0 */
            block: number | null;
        };
        /** @enum {string} */
        FindingScope: "article" | "site";
        /** @enum {string} */
        FindingSeverity: "critical" | "high" | "medium" | "low" | "info";
        Health: {
            /** @description `degraded`: requests are served, but a dependency is unreachable */
            status: components["schemas"]["HealthStatus"];
            /** @description The dependencies that do not respond or cannot write */
            missing: components["schemas"]["HealthDependency"][];
            browser: components["schemas"]["HealthBrowser"];
        };
        HealthBrowser: {
            /** @description The sandbox of Chromium in this process. `unavailable`: visual checks cannot run without it. Null until the first visual check */
            sandbox: components["schemas"]["SandboxState"] | null;
        };
        /** @enum {string} */
        HealthDependency: "store" | "files" | "limits" | "queue";
        /** @enum {string} */
        HealthStatus: "ok" | "degraded";
        /** @enum {string} */
        ImportDialect: "own" | "shopify" | "woocommerce" | "google" | "mapped";
        /** @enum {string} */
        ImportEncoding: "utf-8" | "utf-8-bom" | "windows-1252";
        /** @enum {string} */
        ImportErrorsFormat: "rows" | "report";
        ImportFile: {
            format: components["schemas"]["ImportFormat"];
            /** @description The uncompressed size */
            bytes: number;
            encoding: components["schemas"]["ImportEncoding"];
            lineEnd: components["schemas"]["ImportLineEnd"];
            /** @description The delimiter of a CSV file */
            delimiter: string | null;
            dialect: components["schemas"]["ImportDialect"] | null;
            /** @description The first ignored columns: up to 100 names, with 10,000 characters together */
            ignoredColumns: string[];
            /** @description The number of all ignored columns. Absent in imports of earlier versions */
            ignoredColumnCount?: number;
        };
        /** @enum {string} */
        ImportFormat: "ndjson" | "csv";
        /** @enum {string} */
        ImportLineEnd: "lf" | "crlf" | "cr";
        /** @enum {string} */
        ImportStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        ImportedBlog: {
            /** @description Must not be blank */
            title: string;
            /** @description CommonMark with GFM tables, strikethrough, autolinks, task lists and footnotes. Mutually exclusive with `html` */
            markdown?: string;
            /** @description Mutually exclusive with `markdown` */
            html?: string;
            css?: string | null;
            /** @description Default: the title */
            metaTitle?: string | null;
            /** @description Default: generated from `excerpt`, or else from the text */
            metaDescription?: string | null;
            /** @description Default: generated from the text */
            excerpt?: string | null;
            /** @description `width` and `height` are only needed for images of other servers */
            cover?: components["schemas"]["BlogCoverInput"] | null;
            /** Format: uri */
            ogImageUrl?: string | null;
            /** @description Must not be blank */
            category?: string | null;
            tags?: string[];
            /** @description The only author. Mutually exclusive with `authors` */
            author?: components["schemas"]["AuthorInput"] | null;
            authors?: components["schemas"]["AuthorInput"][];
            /** @description Blogs of a project with the same key are translations of each other. At most one blog for each language, script and region. Must not be blank */
            translationKey?: string | null;
            /** @description Default: en. A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string;
            /** Format: uri */
            canonicalUrl?: string | null;
            /**
             * Format: date-time
             * @description The publication date, not in the future. Default: the time of publication
             */
            publishedAt?: string;
            status?: components["schemas"]["NewBlogStatus"];
            /** @description Identifies the blog. Lowercase letters, digits, and single hyphens between them */
            slug?: string;
            /** @description The images that the text refers to by name */
            images?: components["schemas"]["ImportedImage"][];
        };
        ImportedImage: {
            name: string;
            alt: string;
            base64: string;
        };
        /** @enum {string} */
        JobName: "publish-blog" | "refresh-related" | "import-products" | "optimize-products" | "check-product-images" | "publish-product-events" | "fan-out-events" | "deliver-webhooks" | "recover-deliveries" | "run-visual-check" | "sweep";
        JobRetry: {
            /** @description The id of a dead job. Default: all dead jobs */
            id?: string;
        };
        JobRetryResult: {
            retried: number;
        };
        Liveness: {
            /** @constant */
            status: "ok";
        };
        /** @enum {string} */
        NewBlogStatus: "draft" | "published";
        OptimizationPreview: {
            /** @description Whether a language model is configured */
            hasModel: boolean;
            products: components["schemas"]["ProductOptimizationPreview"][];
        };
        OptimizationPreviewRequest: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            externalIds: string[];
            /**
             * @description Whether to also ask the language model. Counts toward its budget
             * @default false
             */
            compare?: boolean;
        };
        /** @enum {string} */
        OptimizeMode: "auto" | "manual";
        OptimizeRequest: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            /** @description Default: all products of the project */
            externalIds?: string[];
            /**
             * @description Whether to include products with unchanged inputs
             * @default false
             */
            force?: boolean;
        };
        OptimizeResult: {
            queued: number;
        };
        PageBox: {
            x: number;
            y: number;
            width: number;
            height: number;
        };
        PingEvent: {
            /**
             * Format: uuid
             * @description The event id, the same in every attempt. Use it to process an event once
             */
            id: string;
            /** @description The version of the format. Within a version, fields are only added */
            apiVersion: string;
            /**
             * Format: date-time
             * @description The time of the event
             */
            timestamp: string;
            /** @description Increases by one with every event of the webhook. 0 for a ping */
            sequence: number;
            /** @enum {string} */
            type: "ping";
            data: {
                [key: string]: unknown;
            };
        };
        PingResult: {
            /** @description Whether the receiver responded with 2xx */
            delivered: boolean;
            status: number | null;
            error: components["schemas"]["DeliveryError"] | null;
            detail: string | null;
            durationMs: number;
            /** @description The first 1 KiB of the response */
            response: string;
        };
        /** @enum {string} */
        Plan: "starter" | "sage" | "samurai";
        /** @enum {string} */
        PreviewPage: "system" | "light" | "dark";
        Problem: {
            /**
             * Format: uri-reference
             * @description The URL of the documentation of the code
             */
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
            code: string;
            requestId: string;
            errors?: components["schemas"]["FieldError"][];
        } & {
            [key: string]: unknown;
        };
        Product: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            externalId: string;
            sku: string | null;
            title: string;
            description: string | null;
            /** @description All digits are kept */
            price: number | null;
            category: string | null;
            url: string | null;
            imageUrl: string | null;
            images: string[];
            brand: string | null;
            gtin: string | null;
            mpn: string | null;
            currency: string | null;
            availability: components["schemas"]["ProductAvailability"] | null;
            locale: string | null;
            attributes: {
                [key: string]: string;
            };
            tags: string[];
            groupId: string | null;
            status: components["schemas"]["ProductStatus"];
            seo: components["schemas"]["ProductSeo"];
            /** @description Possible problems, such as an image that cannot be fetched, or a source text that is too short (`source_thin`) */
            warnings: components["schemas"]["ProductWarning"][];
            /** @description Problems of the texts. `thin`: the source has less than 70 characters of text. `too_short`: the meta description has less than 70 characters. `duplicate`: another product outside of the group has the same title or description. `lorem`: the source is a placeholder */
            quality: components["schemas"]["ProductQualityIssue"][];
            /** @description JSON-LD of the type Product for a script tag, with the known offer, brand, identifiers and images */
            schemaOrgJson: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        ProductAvailability: "in_stock" | "out_of_stock" | "preorder" | "backorder";
        ProductBatch: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            products: components["schemas"]["ProductRow"][];
        };
        ProductBatchResult: {
            /** @description The number of created products */
            created: number;
            /** @description The number of updated products, including unchanged ones */
            updated: number;
            /** @description The updated products that have not changed */
            unchanged: number;
            failed: number;
            errors: components["schemas"]["ProductRowProblem"][];
            warnings: components["schemas"]["ProductRowProblem"][];
        };
        ProductImport: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            status: components["schemas"]["ImportStatus"];
            file: components["schemas"]["ImportFile"];
            /** @description The number of rows */
            total: number;
            processed: number;
            created: number;
            /** @description Including unchanged products */
            updated: number;
            /** @description The updated products that have not changed */
            unchanged: number;
            failed: number;
            /** @description The failed rows that can be downloaded: the first 10,000. Further failed rows are only counted */
            failedStored: number;
            /** @description Rows for a product that an earlier row of the same file created or changed. The last one wins */
            repeated: number;
            /** @description Why the import failed */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /** @description The estimated number of seconds until the end */
            etaSeconds: number | null;
        };
        ProductImportCompletedEvent: {
            /**
             * Format: uuid
             * @description The event id, the same in every attempt. Use it to process an event once
             */
            id: string;
            /** @description The version of the format. Within a version, fields are only added */
            apiVersion: string;
            /**
             * Format: date-time
             * @description The time of the event
             */
            timestamp: string;
            /** @description Increases by one with every event of the webhook. 0 for a ping */
            sequence: number;
            /** @enum {string} */
            type: "products.import.completed";
            data: components["schemas"]["ProductImportCompletedEventData"];
        };
        ProductImportCompletedEventData: {
            /** Format: uuid */
            importId: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            status: components["schemas"]["ImportStatus"];
            reason: string | null;
            total: number;
            processed: number;
            created: number;
            /** @description Including unchanged products */
            updated: number;
            unchanged: number;
            failed: number;
        };
        ProductImportList: {
            imports: components["schemas"]["ProductImport"][];
            totalCount: number;
            page: number;
            totalPages: number;
        };
        /** @description Its fields have at most 256 KB as JSON */
        ProductInput: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            /** @description Your product id, unique within the project. Case-sensitive. Must not be blank */
            externalId: string;
            /** @description Must not be blank */
            title: string;
            sku?: string | null;
            /** @description Plain text or HTML */
            description?: string | null;
            /** @description A number. All digits are kept, up to 4 decimal places; more are rounded half to even, with the warning `price_rounded` */
            price?: number | null;
            /** @description Levels joined by ' > ', at most 10 */
            category?: string | null;
            /** Format: uri */
            url?: string | null;
            /** Format: uri */
            imageUrl?: string | null;
            images?: string[] | null;
            brand?: string | null;
            /** @description GTIN-8, -12, -13 or -14. 8 to 14 digits */
            gtin?: string | null;
            mpn?: string | null;
            /** @description ISO 4217. Three capital letters, such as `EUR` */
            currency?: string | null;
            availability?: components["schemas"]["ProductAvailability"] | null;
            /** @description A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string | null;
            /** @description The properties of the variant, such as size and color */
            attributes?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            /** @description The product that this one is a variant of, such as the handle in Shopify. Variants share the page title, the descriptions and the handle */
            groupId?: string | null;
            /** @description Manual values, which are never overwritten by generated ones. null restores the generated value */
            seo?: components["schemas"]["ProductSeoInput"];
        };
        ProductList: {
            products: components["schemas"]["Product"][];
            totalCount: number;
            page: number;
            totalPages: number;
        };
        ProductOptimizationPreview: {
            externalId: string;
            title: string;
            rules: components["schemas"]["SeoPreview"];
            /** @description The texts with a language model. A text that it lacks is from the rules. null without `compare` */
            model: components["schemas"]["SeoPreview"] | null;
            /** @description Why texts of the language model are missing */
            problems: string[];
        };
        ProductPatch: {
            /** @description Must not be blank */
            title?: string;
            sku?: string | null;
            /** @description Plain text or HTML */
            description?: string | null;
            /** @description A number. All digits are kept, up to 4 decimal places; more are rounded half to even, with the warning `price_rounded` */
            price?: number | null;
            /** @description Levels joined by ' > ', at most 10 */
            category?: string | null;
            /** Format: uri */
            url?: string | null;
            /** Format: uri */
            imageUrl?: string | null;
            images?: string[] | null;
            brand?: string | null;
            /** @description GTIN-8, -12, -13 or -14. 8 to 14 digits */
            gtin?: string | null;
            mpn?: string | null;
            /** @description ISO 4217. Three capital letters, such as `EUR` */
            currency?: string | null;
            availability?: components["schemas"]["ProductAvailability"] | null;
            /** @description A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string | null;
            /** @description The properties of the variant, such as size and color */
            attributes?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            /** @description The product that this one is a variant of, such as the handle in Shopify. Variants share the page title, the descriptions and the handle */
            groupId?: string | null;
            /** @description Manual values, which are never overwritten by generated ones. null restores the generated value */
            seo?: components["schemas"]["ProductSeoInput"];
        };
        ProductQuality: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            /** @description All products of the project */
            total: number;
            duplicate: number;
            lorem: number;
            thin: number;
            too_short: number;
        };
        /** @enum {string} */
        ProductQualityIssue: "duplicate" | "lorem" | "thin" | "too_short";
        /** @description Its fields have at most 256 KB as JSON */
        ProductRow: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId?: string;
            /** @description Your product id, unique within the project. Case-sensitive. Must not be blank */
            externalId: string;
            /** @description Must not be blank */
            title: string;
            sku?: string | null;
            /** @description Plain text or HTML */
            description?: string | null;
            /** @description A number. All digits are kept, up to 4 decimal places; more are rounded half to even, with the warning `price_rounded` */
            price?: number | null;
            /** @description Levels joined by ' > ', at most 10 */
            category?: string | null;
            /** Format: uri */
            url?: string | null;
            /** Format: uri */
            imageUrl?: string | null;
            images?: string[] | null;
            brand?: string | null;
            /** @description GTIN-8, -12, -13 or -14. 8 to 14 digits */
            gtin?: string | null;
            mpn?: string | null;
            /** @description ISO 4217. Three capital letters, such as `EUR` */
            currency?: string | null;
            availability?: components["schemas"]["ProductAvailability"] | null;
            /** @description A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string | null;
            /** @description The properties of the variant, such as size and color */
            attributes?: {
                [key: string]: string;
            } | null;
            tags?: string[] | null;
            /** @description The product that this one is a variant of, such as the handle in Shopify. Variants share the page title, the descriptions and the handle */
            groupId?: string | null;
            /** @description Manual values, which are never overwritten by generated ones. null restores the generated value */
            seo?: components["schemas"]["ProductSeoInput"];
        };
        ProductRowProblem: {
            /** @description The index in `products`, from 0 */
            index: number;
            externalId: string | null;
            /** @description A JSON pointer (RFC 6901) into the body, or the name of a parameter */
            pointer: string;
            code: string;
            message: string;
        };
        ProductSample: {
            externalIds: string[];
            /** @description The number of products in the project */
            totalCount: number;
        };
        ProductSeo: {
            /** @description null until it is generated */
            metaTitle: components["schemas"]["SeoValue"] | null;
            /** @description null until it is generated */
            metaDescription: components["schemas"]["SeoValue"] | null;
            /** @description null until it is generated */
            pageTitle: components["schemas"]["SeoValue"] | null;
            /** @description null until it is generated */
            pageDescription: components["schemas"]["SeoValue"] | null;
            /** @description null until it is generated */
            imageUrl: components["schemas"]["SeoValue"] | null;
            /** @description The last part of the page URL. It is generated once and can be changed manually */
            handle: components["schemas"]["SeoValue"] | null;
        };
        ProductSeoInput: {
            /** @description Must not be blank */
            metaTitle?: string | null;
            /** @description Must not be blank */
            metaDescription?: string | null;
            /** @description Must not be blank */
            pageTitle?: string | null;
            /** @description Must not be blank */
            pageDescription?: string | null;
            /** Format: uri */
            imageUrl?: string | null;
            /** @description Any address that the shop already uses, without white space and `/ ? # \` */
            handle?: string | null;
        };
        /** @enum {string} */
        ProductStatus: "pending" | "optimizing" | "optimized" | "failed";
        ProductWarning: {
            code: string;
            message: string;
        };
        ProductsOptimizedEvent: {
            /**
             * Format: uuid
             * @description The event id, the same in every attempt. Use it to process an event once
             */
            id: string;
            /** @description The version of the format. Within a version, fields are only added */
            apiVersion: string;
            /**
             * Format: date-time
             * @description The time of the event
             */
            timestamp: string;
            /** @description Increases by one with every event of the webhook. 0 for a ping */
            sequence: number;
            /** @enum {string} */
            type: "products.optimized";
            data: components["schemas"]["ProductsOptimizedEventData"];
        };
        ProductsOptimizedEventData: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            products: components["schemas"]["WebhookProduct"][];
        };
        Project: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            id: string;
            /** @description The display name. Must not be blank */
            name: string;
            /**
             * Format: uri
             * @description The URL of the customer's website, used for links in feeds, the sitemap and JSON-LD
             */
            siteUrl: string | null;
            /** @description The path of the blog on the website. Default: /blog. A path of segments with letters, digits and `. _ ~ -`, such as `/journal` */
            blogPath: string;
            /** @description The path of category pages on the website, for breadcrumbs in JSON-LD. Example: `/journal/category/{category}`. `{category}` is replaced by the category in lower case with hyphens */
            categoryPath: string | null;
            /** @description The publisher in JSON-LD and the brand in page titles */
            brandName: string | null;
            /** @description Whether SEO texts of products are generated automatically, or only on request */
            optimize: components["schemas"]["OptimizeMode"];
            /** @description The colors of articles. `inherit`: the page's text color, and tints of it. `light`, `dark`: fixed colors, whatever the page. `auto`: light or dark by the page's CSS property `color-scheme`. Default: inherit */
            colorScheme: components["schemas"]["ColorScheme"];
            /** @description The maximum width of articles, such as `48rem`, `720px` or `65ch`. Default: null, the width of the column */
            maxWidth: string | null;
            /** @description The color of links: `#rrggbb`, `#rgb`, or a custom property of the page such as `var(--brand)`. Default: null, the page's color of links */
            accentColor: string | null;
            /** @description Font families separated by commas, such as `Inter, system-ui, sans-serif`. Default: null, the page's font */
            fontFamily: string | null;
            /** @description The radius of the corners of images, videos and code, such as `8px`. Default: null */
            borderRadius: string | null;
            /** @description The colors of code blocks. `inherit`: the article's. `plain`: without highlighting. Default: inherit */
            codeTheme: components["schemas"]["CodeTheme"];
            /** @description The language of products without a `locale`. null: detected from their texts. A BCP 47 language tag, such as `en` or `de-CH` */
            locale: string | null;
            /** @description How often the page of each published blog is checked, at `siteUrl` and `blogPath`. The checks are spread over the interval. null: only on request */
            visualCheck: components["schemas"]["VisualCheckSchedule"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProjectInput: {
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            id: string;
            /** @description The display name. Must not be blank */
            name?: string;
            /**
             * Format: uri
             * @description The URL of the customer's website, used for links in feeds, the sitemap and JSON-LD
             */
            siteUrl?: string | null;
            /** @description The path of the blog on the website. Default: /blog. A path of segments with letters, digits and `. _ ~ -`, such as `/journal` */
            blogPath?: string;
            /** @description The path of category pages on the website, for breadcrumbs in JSON-LD. Example: `/journal/category/{category}`. `{category}` is replaced by the category in lower case with hyphens */
            categoryPath?: string | null;
            /** @description The publisher in JSON-LD and the brand in page titles */
            brandName?: string | null;
            /** @description Whether SEO texts of products are generated automatically, or only on request */
            optimize?: components["schemas"]["OptimizeMode"];
            /** @description The colors of articles. `inherit`: the page's text color, and tints of it. `light`, `dark`: fixed colors, whatever the page. `auto`: light or dark by the page's CSS property `color-scheme`. Default: inherit */
            colorScheme?: components["schemas"]["ColorScheme"];
            /** @description The maximum width of articles, such as `48rem`, `720px` or `65ch`. Default: null, the width of the column */
            maxWidth?: string | null;
            /** @description The color of links: `#rrggbb`, `#rgb`, or a custom property of the page such as `var(--brand)`. Default: null, the page's color of links */
            accentColor?: string | null;
            /** @description Font families separated by commas, such as `Inter, system-ui, sans-serif`. Default: null, the page's font */
            fontFamily?: string | null;
            /** @description The radius of the corners of images, videos and code, such as `8px`. Default: null */
            borderRadius?: string | null;
            /** @description The colors of code blocks. `inherit`: the article's. `plain`: without highlighting. Default: inherit */
            codeTheme?: components["schemas"]["CodeTheme"];
            /** @description The language of products without a `locale`. null: detected from their texts. A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string | null;
            /** @description How often the page of each published blog is checked, at `siteUrl` and `blogPath`. The checks are spread over the interval. null: only on request */
            visualCheck?: components["schemas"]["VisualCheckSchedule"] | null;
            /**
             * @deprecated
             * @description Use `optimize`
             */
            optimise?: components["schemas"]["OptimizeMode"];
        };
        ProjectList: {
            projects: components["schemas"]["Project"][];
        };
        ProjectPatch: {
            /** @description The display name. Must not be blank */
            name?: string;
            /**
             * Format: uri
             * @description The URL of the customer's website, used for links in feeds, the sitemap and JSON-LD
             */
            siteUrl?: string | null;
            /** @description The path of the blog on the website. Default: /blog. A path of segments with letters, digits and `. _ ~ -`, such as `/journal` */
            blogPath?: string;
            /** @description The path of category pages on the website, for breadcrumbs in JSON-LD. Example: `/journal/category/{category}`. `{category}` is replaced by the category in lower case with hyphens */
            categoryPath?: string | null;
            /** @description The publisher in JSON-LD and the brand in page titles */
            brandName?: string | null;
            /** @description Whether SEO texts of products are generated automatically, or only on request */
            optimize?: components["schemas"]["OptimizeMode"];
            /** @description The colors of articles. `inherit`: the page's text color, and tints of it. `light`, `dark`: fixed colors, whatever the page. `auto`: light or dark by the page's CSS property `color-scheme`. Default: inherit */
            colorScheme?: components["schemas"]["ColorScheme"];
            /** @description The maximum width of articles, such as `48rem`, `720px` or `65ch`. Default: null, the width of the column */
            maxWidth?: string | null;
            /** @description The color of links: `#rrggbb`, `#rgb`, or a custom property of the page such as `var(--brand)`. Default: null, the page's color of links */
            accentColor?: string | null;
            /** @description Font families separated by commas, such as `Inter, system-ui, sans-serif`. Default: null, the page's font */
            fontFamily?: string | null;
            /** @description The radius of the corners of images, videos and code, such as `8px`. Default: null */
            borderRadius?: string | null;
            /** @description The colors of code blocks. `inherit`: the article's. `plain`: without highlighting. Default: inherit */
            codeTheme?: components["schemas"]["CodeTheme"];
            /** @description The language of products without a `locale`. null: detected from their texts. A BCP 47 language tag, such as `en` or `de-CH` */
            locale?: string | null;
            /** @description How often the page of each published blog is checked, at `siteUrl` and `blogPath`. The checks are spread over the interval. null: only on request */
            visualCheck?: components["schemas"]["VisualCheckSchedule"] | null;
            /**
             * @deprecated
             * @description Use `optimize`
             */
            optimise?: components["schemas"]["OptimizeMode"];
        };
        QueueState: {
            /** @description The job name */
            job: components["schemas"]["JobName"];
            /** @description Jobs that are not running, both due and delayed */
            waiting: number;
            /** @description Jobs that are due and wait for a worker */
            due: number;
            running: number;
            /** @description Jobs that have used up their attempts */
            dead: number;
            /** @description How long the oldest due job has waited, in milliseconds. 0 without one */
            oldestMs: number;
        };
        QueueStateList: {
            queues: components["schemas"]["QueueState"][];
        };
        Readiness: {
            /** @description `degraded`: requests are served, but a dependency is unreachable */
            status: components["schemas"]["HealthStatus"];
            /** @description The dependencies that do not respond or cannot write */
            missing: components["schemas"]["HealthDependency"][];
        };
        Recovery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            status: components["schemas"]["RecoveryStatus"];
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            statuses: components["schemas"]["DeliveryStatus"][];
            /** @description The number of examined deliveries */
            examined: number;
            /** @description The number of requeued deliveries */
            requeued: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        RecoveryRequest: {
            /**
             * Format: date-time
             * @description The start of the period
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the period. Default: now
             */
            until?: string;
            /**
             * @default [
             *       "failed",
             *       "skipped"
             *     ]
             */
            status?: components["schemas"]["DeliveryStatus"][];
        };
        /** @enum {string} */
        RecoveryStatus: "running" | "done";
        /** @description A blog that was deleted, unpublished, or moved to another project */
        RemovedBlog: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** Format: date-time */
            at: string;
        };
        /** @enum {string} */
        SandboxState: "on" | "off" | "unavailable";
        /** @enum {string} */
        ScreenshotDetail: "none" | "thumbs" | "full";
        /** @enum {string} */
        ScreenshotKind: "thumb" | "viewport" | "page" | "crop" | "reference";
        SecretRotation: {
            /** @description How long the old secret remains valid, in hours. Default: 24 */
            overlapHours?: number;
        };
        SecretsKeyRotation: {
            /** @description The number of examined webhooks */
            webhooks: number;
            /** @description The number of re-encrypted secrets */
            reencrypted: number;
            /** @description The number of secrets that no key decrypts. They are left unchanged */
            unreadable: number;
        };
        SeoGeneration: {
            model: string;
            /** @description Increases when the service changes its prompt */
            promptVersion: string;
            /** Format: date-time */
            at: string;
        };
        /** @enum {string} */
        SeoPlugin: "yoast" | "rank-math";
        SeoPreview: {
            metaTitle: components["schemas"]["SeoPreviewValue"];
            metaDescription: components["schemas"]["SeoPreviewValue"];
            pageTitle: components["schemas"]["SeoPreviewValue"];
        };
        SeoPreviewValue: {
            value: string;
            source: components["schemas"]["SeoSource"];
        };
        /** @enum {string} */
        SeoSource: "rule" | "llm" | "human";
        SeoValue: {
            value: string;
            source: components["schemas"]["SeoSource"];
            /** @description Only with the source `llm`: the language model that wrote the text */
            generated?: components["schemas"]["SeoGeneration"];
        };
        Session: {
            /** @description The session token */
            token: string;
            accountId: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionInput: {
            /** @description The last part of the sign-in link */
            linkToken: string;
        };
        /** @enum {string} */
        ShopPlatform: "shopify" | "woocommerce";
        SlugMoved: {
            /** @constant */
            code: "slug_moved";
            slug: string;
        };
        StorageLimits: {
            /** @description Bytes of records and uploaded files */
            bytes: number;
            /** @description Blogs in any state */
            blogs: number;
            /** @description Products of all projects */
            products: number;
            /** @description Uploaded images */
            images: number;
        };
        StorageLimitsPatch: {
            /** @description Bytes of records and uploaded files */
            bytes?: number | null;
            /** @description Blogs in any state */
            blogs?: number | null;
            /** @description Products of all projects */
            products?: number | null;
            /** @description Uploaded images */
            images?: number | null;
        };
        StorageUsage: {
            used: number;
            limit: number;
        };
        TagCount: {
            tag: string;
            count: number;
        };
        /** @enum {string} */
        TextDirection: "ltr" | "rtl";
        /** @enum {string} */
        UpsertResult: "created" | "updated" | "unchanged";
        UpsertedProduct: {
            /** Format: uuid */
            id: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            externalId: string;
            sku: string | null;
            title: string;
            description: string | null;
            /** @description All digits are kept */
            price: number | null;
            category: string | null;
            url: string | null;
            imageUrl: string | null;
            images: string[];
            brand: string | null;
            gtin: string | null;
            mpn: string | null;
            currency: string | null;
            availability: components["schemas"]["ProductAvailability"] | null;
            locale: string | null;
            attributes: {
                [key: string]: string;
            };
            tags: string[];
            groupId: string | null;
            status: components["schemas"]["ProductStatus"];
            seo: components["schemas"]["ProductSeo"];
            /** @description Possible problems, such as an image that cannot be fetched, or a source text that is too short (`source_thin`) */
            warnings: components["schemas"]["ProductWarning"][];
            /** @description Problems of the texts. `thin`: the source has less than 70 characters of text. `too_short`: the meta description has less than 70 characters. `duplicate`: another product outside of the group has the same title or description. `lorem`: the source is a placeholder */
            quality: components["schemas"]["ProductQualityIssue"][];
            /** @description JSON-LD of the type Product for a script tag, with the known offer, brand, identifiers and images */
            schemaOrgJson: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            result: components["schemas"]["UpsertResult"];
        };
        Usage: {
            storage: components["schemas"]["AccountStorageUsage"];
            limit: number;
            remaining: number;
            /** Format: date-time */
            resetAt: string;
            hours: components["schemas"]["UsageHour"][];
        };
        UsageHour: {
            /**
             * Format: date-time
             * @description The start of the hour
             */
            hour: string;
            /** @description The number of allowed requests */
            requests: number;
            /** @description The number of requests with status 429 */
            refused: number;
        };
        /** @enum {string} */
        Viewport: "mobile" | "desktop";
        VisualCheck: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            blogId: string;
            url: string;
            /** @description URL after redirects */
            finalUrl: string | null;
            environment: components["schemas"]["VisualCheckEnvironment"];
            /** @description Whether the check was requested or is part of the project's schedule */
            trigger: components["schemas"]["VisualCheckTrigger"];
            /** @description `blocked`, `unreachable` and `timeout`: the page could not be opened. Its score is 0. `failed`: the service could not run the check */
            status: components["schemas"]["VisualCheckStatus"];
            /** @description Null until the check is finished, and if its status is `failed` */
            overallScore: number | null;
            /** @description Why the page could not be opened, or why the check failed */
            reason: string | null;
            categories: components["schemas"]["VisualCheckScores"] | null;
            /** @description Sorted by severity, the most severe first */
            findings: components["schemas"]["VisualFinding"][];
            coverage: components["schemas"]["VisualCheckCoverage"] | null;
            screenshots: components["schemas"]["VisualCheckScreenshot"][];
            since: components["schemas"]["VisualCheckComparison"] | null;
            checker: components["schemas"]["VisualCheckChecker"] | null;
            timings: components["schemas"]["VisualCheckTimings"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        VisualCheckChecker: {
            /** @description Version of all rules. Scores of different versions are not comparable */
            version: string;
            chromium: string;
            fonts: components["schemas"]["CheckerFonts"];
            /** @description Version of each rule, by finding code */
            rules: {
                [key: string]: number;
            };
        };
        VisualCheckComparison: {
            /**
             * Format: uuid
             * @description Previous check of the same page with a score
             */
            checkId: string;
            overallScore: number | null;
            /** @description Codes that the previous check did not find */
            appeared: string[];
            /** @description Codes that only the previous check found */
            gone: string[];
        };
        VisualCheckCompletedEvent: {
            /**
             * Format: uuid
             * @description The event id, the same in every attempt. Use it to process an event once
             */
            id: string;
            /** @description The version of the format. Within a version, fields are only added */
            apiVersion: string;
            /**
             * Format: date-time
             * @description The time of the event
             */
            timestamp: string;
            /** @description Increases by one with every event of the webhook. 0 for a ping */
            sequence: number;
            /** @enum {string} */
            type: "visual_check.completed";
            data: components["schemas"]["VisualCheckCompletedEventData"];
        };
        VisualCheckCompletedEventData: {
            /** Format: uuid */
            checkId: string;
            /** @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ - */
            projectId: string;
            /** Format: uuid */
            blogId: string;
            url: string;
            /** @description URL after redirects */
            finalUrl: string | null;
            environment: components["schemas"]["VisualCheckEnvironment"];
            /** @description `blocked`, `unreachable` and `timeout`: the page could not be opened. Its score is 0. `failed`: the service could not run the check */
            status: components["schemas"]["VisualCheckStatus"];
            /** @description Null until the check is finished, and if its status is `failed` */
            overallScore: number | null;
            /** @description Why the page could not be opened, or why the check failed */
            reason: string | null;
            categories: components["schemas"]["VisualCheckScores"] | null;
            /** @description The most severe first. Retrieve the check for locations and measurements */
            findings: components["schemas"]["VisualFindingSummary"][];
            since: components["schemas"]["VisualCheckComparison"] | null;
        };
        VisualCheckCoverage: {
            /** @description Share of the text in the page */
            inDom: number;
            /** @description Share of the text that is visible */
            visible: number;
            /** @description Share of the blog's CSS declarations that are applied */
            cssHeld: number;
            /** @description Share of the text in blocks compared with a reference rendering. Missing in checks of version 1 */
            compared?: number;
            /** @description Share of the text whose legibility is known. Text on pictures and below masks is measured in screenshots: for at most 3 seconds, in the first 12,000 pixels of a page. Missing in older checks */
            measured?: number;
        };
        /** @enum {string} */
        VisualCheckEnvironment: "staging" | "live";
        VisualCheckInput: {
            /**
             * @description The http or https URL of the published page, on the public internet
             * @example https://shop.example/blog/tea
             */
            url: string;
            /** @description Default: both viewports */
            viewports?: components["schemas"]["Viewport"][];
            /**
             * @description On `staging`, `noindex` is reported without affecting the score
             * @default live
             */
            environment?: components["schemas"]["VisualCheckEnvironment"];
            /**
             * @description `full` adds annotated screenshots of the viewport and the page, a crop of each finding, and how text that looks different should look
             * @default thumbs
             */
            screenshots?: components["schemas"]["ScreenshotDetail"];
        };
        VisualCheckList: {
            visualChecks: components["schemas"]["VisualCheckSummary"][];
            totalCount: number;
            page: number;
            totalPages: number;
        };
        VisualCheckSchedule: {
            /**
             * @description The interval: `1h` to `23h`, or `1d` to `30d`
             * @example 1d
             */
            every: string;
        };
        VisualCheckScores: {
            content: number;
            layout: number;
            media: number;
            style: number;
            readability: number;
            metadata: number;
            runtime: number;
        };
        VisualCheckScreenshot: {
            name: string;
            kind: components["schemas"]["ScreenshotKind"];
            viewport: components["schemas"]["Viewport"];
            /** @description For a crop and a reference: index of the finding in `findings` */
            finding: number | null;
            /** @description Requires an API key of the account */
            url: string;
            width: number;
            height: number;
        };
        /** @enum {string} */
        VisualCheckStatus: "queued" | "running" | "completed" | "blocked" | "unreachable" | "timeout" | "failed";
        VisualCheckSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            blogId: string;
            url: string;
            /** @description URL after redirects */
            finalUrl: string | null;
            environment: components["schemas"]["VisualCheckEnvironment"];
            /** @description Whether the check was requested or is part of the project's schedule */
            trigger: components["schemas"]["VisualCheckTrigger"];
            /** @description `blocked`, `unreachable` and `timeout`: the page could not be opened. Its score is 0. `failed`: the service could not run the check */
            status: components["schemas"]["VisualCheckStatus"];
            /** @description Null until the check is finished, and if its status is `failed` */
            overallScore: number | null;
            /** @description Why the page could not be opened, or why the check failed */
            reason: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        VisualCheckTimings: {
            queuedMs: number;
            totalMs: number;
            viewports: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /** @enum {string} */
        VisualCheckTrigger: "request" | "schedule";
        VisualFinding: {
            /** @description Capital letters, digits and underscores */
            code: string;
            category: components["schemas"]["FindingCategory"];
            severity: components["schemas"]["FindingSeverity"];
            /** @description Only `certain` findings are scored. `flaky` ones were found by one of two inspections */
            confidence: components["schemas"]["FindingConfidence"];
            /** @description What is wrong */
            message: string;
            /** @description How to fix the defect */
            advice: string;
            viewports: components["schemas"]["Viewport"][];
            /** @description Affected share, rounded to quarters */
            extent: number;
            /** @description Whether the finding concerns the blog or the site around it */
            scope: components["schemas"]["FindingScope"];
            /** @description Number of places. `locations` has the first ones */
            count: number;
            locations: components["schemas"]["FindingLocation"][];
            /** @description Measured values */
            evidence: {
                [key: string]: unknown;
            };
            expected?: string;
            actual?: string;
        };
        VisualFindingSummary: {
            /** @description Capital letters, digits and underscores */
            code: string;
            category: components["schemas"]["FindingCategory"];
            severity: components["schemas"]["FindingSeverity"];
            /** @description Only `certain` findings are scored. `flaky` ones were found by one of two inspections */
            confidence: components["schemas"]["FindingConfidence"];
            viewports: components["schemas"]["Viewport"][];
            /** @description Number of places. `locations` has the first ones */
            count: number;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description null for all */
            events: components["schemas"]["EventType"][] | null;
            /** @description null for all */
            projectIds: string[] | null;
            description: string;
            status: components["schemas"]["WebhookStatus"];
            disabledBy: components["schemas"]["WebhookDisabledBy"] | null;
            disabledReason: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Deliveries are paused until this time, because the receiver fails or requested it
             */
            pausedUntil: string | null;
            /**
             * Format: date-time
             * @description During a rotation, the expiry of the old secret
             */
            secretExpiresAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        WebhookDisabledBy: "person" | "gone" | "failures";
        WebhookInput: {
            /**
             * Format: uri
             * @description The URL of the receiver: https, with port 443 or 8443
             */
            url: string;
            /** @description null for all */
            events?: components["schemas"]["EventType"][] | null;
            /** @description null for all */
            projectIds?: string[] | null;
            description?: string;
        };
        WebhookList: {
            webhooks: components["schemas"]["Webhook"][];
        };
        WebhookPatch: {
            /**
             * Format: uri
             * @description The URL of the receiver: https, with port 443 or 8443
             */
            url?: string;
            /** @description null for all */
            events?: components["schemas"]["EventType"][] | null;
            /** @description null for all */
            projectIds?: string[] | null;
            description?: string;
            /** @description While false, events are recorded as skipped */
            enabled?: boolean;
        };
        WebhookProduct: {
            external_id: string;
            meta_title: string;
            meta_description: string;
            page_title: string;
            page_description: string;
            image_url: string;
            handle: string;
        };
        WebhookReceipt: {
            /** @constant */
            received?: true;
        };
        /** @enum {string} */
        WebhookStatus: "enabled" | "disabled";
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description null for all */
            events: components["schemas"]["EventType"][] | null;
            /** @description null for all */
            projectIds: string[] | null;
            description: string;
            status: components["schemas"]["WebhookStatus"];
            disabledBy: components["schemas"]["WebhookDisabledBy"] | null;
            disabledReason: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Deliveries are paused until this time, because the receiver fails or requested it
             */
            pausedUntil: string | null;
            /**
             * Format: date-time
             * @description During a rotation, the expiry of the old secret
             */
            secretExpiresAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The signing secret: `whsec_` and 32 bytes in base64. It is returned only once, and is missing from replayed responses */
            secret?: string;
        };
    };
    responses: never;
    parameters: {
        /**
         * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
         * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
         */
        IdempotencyKey: string;
        /**
         * @description The ETag of your copy. The response is 304 while the copy is current
         * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
         */
        IfNoneMatch: string;
        /**
         * @description The requested byte range (RFC 9110, section 14)
         * @example bytes=0-1023
         */
        Range: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type AccountAdminPatch = components['schemas']['AccountAdminPatch'];
export type AccountPatch = components['schemas']['AccountPatch'];
export type AccountStorageUsage = components['schemas']['AccountStorageUsage'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyInput = components['schemas']['ApiKeyInput'];
export type ApiKeyList = components['schemas']['ApiKeyList'];
export type ApiKeyPatch = components['schemas']['ApiKeyPatch'];
export type ApiKeyScope = components['schemas']['ApiKeyScope'];
export type ApiKeyStatus = components['schemas']['ApiKeyStatus'];
export type ApiKeyWithValue = components['schemas']['ApiKeyWithValue'];
export type AuditAction = components['schemas']['AuditAction'];
export type AuditActor = components['schemas']['AuditActor'];
export type AuditActorType = components['schemas']['AuditActorType'];
export type AuditChange = components['schemas']['AuditChange'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditList = components['schemas']['AuditList'];
export type AuditTarget = components['schemas']['AuditTarget'];
export type AuditTargetType = components['schemas']['AuditTargetType'];
export type Author = components['schemas']['Author'];
export type AuthorCount = components['schemas']['AuthorCount'];
export type AuthorInput = components['schemas']['AuthorInput'];
export type Blog = components['schemas']['Blog'];
export type BlogContentImage = components['schemas']['BlogContentImage'];
export type BlogCover = components['schemas']['BlogCover'];
export type BlogCoverInput = components['schemas']['BlogCoverInput'];
export type BlogDraft = components['schemas']['BlogDraft'];
export type BlogEvent = components['schemas']['BlogEvent'];
export type BlogEventData = components['schemas']['BlogEventData'];
export type BlogEventType = components['schemas']['BlogEventType'];
export type BlogHeading = components['schemas']['BlogHeading'];
export type BlogImage = components['schemas']['BlogImage'];
export type BlogImageList = components['schemas']['BlogImageList'];
export type BlogImageSize = components['schemas']['BlogImageSize'];
export type BlogImageUpload = components['schemas']['BlogImageUpload'];
export type BlogImport = components['schemas']['BlogImport'];
export type BlogImportOutcome = components['schemas']['BlogImportOutcome'];
export type BlogImportResult = components['schemas']['BlogImportResult'];
export type BlogImportResults = components['schemas']['BlogImportResults'];
export type BlogInput = components['schemas']['BlogInput'];
export type BlogList = components['schemas']['BlogList'];
export type BlogListItem = components['schemas']['BlogListItem'];
export type BlogPatch = components['schemas']['BlogPatch'];
export type BlogPreview = components['schemas']['BlogPreview'];
export type BlogPublication = components['schemas']['BlogPublication'];
export type BlogRedirect = components['schemas']['BlogRedirect'];
export type BlogRevision = components['schemas']['BlogRevision'];
export type BlogRevisionAuthor = components['schemas']['BlogRevisionAuthor'];
export type BlogRevisionAuthorType = components['schemas']['BlogRevisionAuthorType'];
export type BlogRevisionDetail = components['schemas']['BlogRevisionDetail'];
export type BlogRevisionField = components['schemas']['BlogRevisionField'];
export type BlogRevisionList = components['schemas']['BlogRevisionList'];
export type BlogSort = components['schemas']['BlogSort'];
export type BlogSource = components['schemas']['BlogSource'];
export type BlogSourceFormat = components['schemas']['BlogSourceFormat'];
export type BlogStatus = components['schemas']['BlogStatus'];
export type BlogStatusFilter = components['schemas']['BlogStatusFilter'];
export type BlogSummary = components['schemas']['BlogSummary'];
export type BlogTranslation = components['schemas']['BlogTranslation'];
export type CategoryCount = components['schemas']['CategoryCount'];
export type CheckerFonts = components['schemas']['CheckerFonts'];
export type CodeTheme = components['schemas']['CodeTheme'];
export type ColorScheme = components['schemas']['ColorScheme'];
export type DeadJob = components['schemas']['DeadJob'];
export type DeadJobList = components['schemas']['DeadJobList'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryDetail = components['schemas']['DeliveryDetail'];
export type DeliveryError = components['schemas']['DeliveryError'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type EventList = components['schemas']['EventList'];
export type EventLogEntry = components['schemas']['EventLogEntry'];
export type EventType = components['schemas']['EventType'];
export type Feature = components['schemas']['Feature'];
export type FieldError = components['schemas']['FieldError'];
export type FindingCategory = components['schemas']['FindingCategory'];
export type FindingConfidence = components['schemas']['FindingConfidence'];
export type FindingLocation = components['schemas']['FindingLocation'];
export type FindingScope = components['schemas']['FindingScope'];
export type FindingSeverity = components['schemas']['FindingSeverity'];
export type Health = components['schemas']['Health'];
export type HealthBrowser = components['schemas']['HealthBrowser'];
export type HealthDependency = components['schemas']['HealthDependency'];
export type HealthStatus = components['schemas']['HealthStatus'];
export type ImportDialect = components['schemas']['ImportDialect'];
export type ImportEncoding = components['schemas']['ImportEncoding'];
export type ImportErrorsFormat = components['schemas']['ImportErrorsFormat'];
export type ImportFile = components['schemas']['ImportFile'];
export type ImportFormat = components['schemas']['ImportFormat'];
export type ImportLineEnd = components['schemas']['ImportLineEnd'];
export type ImportStatus = components['schemas']['ImportStatus'];
export type ImportedBlog = components['schemas']['ImportedBlog'];
export type ImportedImage = components['schemas']['ImportedImage'];
export type JobName = components['schemas']['JobName'];
export type JobRetry = components['schemas']['JobRetry'];
export type JobRetryResult = components['schemas']['JobRetryResult'];
export type Liveness = components['schemas']['Liveness'];
export type NewBlogStatus = components['schemas']['NewBlogStatus'];
export type OptimizationPreview = components['schemas']['OptimizationPreview'];
export type OptimizationPreviewRequest = components['schemas']['OptimizationPreviewRequest'];
export type OptimizeMode = components['schemas']['OptimizeMode'];
export type OptimizeRequest = components['schemas']['OptimizeRequest'];
export type OptimizeResult = components['schemas']['OptimizeResult'];
export type PageBox = components['schemas']['PageBox'];
export type PingEvent = components['schemas']['PingEvent'];
export type PingResult = components['schemas']['PingResult'];
export type Plan = components['schemas']['Plan'];
export type PreviewPage = components['schemas']['PreviewPage'];
export type Problem = components['schemas']['Problem'];
export type Product = components['schemas']['Product'];
export type ProductAvailability = components['schemas']['ProductAvailability'];
export type ProductBatch = components['schemas']['ProductBatch'];
export type ProductBatchResult = components['schemas']['ProductBatchResult'];
export type ProductImport = components['schemas']['ProductImport'];
export type ProductImportCompletedEvent = components['schemas']['ProductImportCompletedEvent'];
export type ProductImportCompletedEventData = components['schemas']['ProductImportCompletedEventData'];
export type ProductImportList = components['schemas']['ProductImportList'];
export type ProductInput = components['schemas']['ProductInput'];
export type ProductList = components['schemas']['ProductList'];
export type ProductOptimizationPreview = components['schemas']['ProductOptimizationPreview'];
export type ProductPatch = components['schemas']['ProductPatch'];
export type ProductQuality = components['schemas']['ProductQuality'];
export type ProductQualityIssue = components['schemas']['ProductQualityIssue'];
export type ProductRow = components['schemas']['ProductRow'];
export type ProductRowProblem = components['schemas']['ProductRowProblem'];
export type ProductSample = components['schemas']['ProductSample'];
export type ProductSeo = components['schemas']['ProductSeo'];
export type ProductSeoInput = components['schemas']['ProductSeoInput'];
export type ProductStatus = components['schemas']['ProductStatus'];
export type ProductWarning = components['schemas']['ProductWarning'];
export type ProductsOptimizedEvent = components['schemas']['ProductsOptimizedEvent'];
export type ProductsOptimizedEventData = components['schemas']['ProductsOptimizedEventData'];
export type Project = components['schemas']['Project'];
export type ProjectInput = components['schemas']['ProjectInput'];
export type ProjectList = components['schemas']['ProjectList'];
export type ProjectPatch = components['schemas']['ProjectPatch'];
export type QueueState = components['schemas']['QueueState'];
export type QueueStateList = components['schemas']['QueueStateList'];
export type Readiness = components['schemas']['Readiness'];
export type Recovery = components['schemas']['Recovery'];
export type RecoveryRequest = components['schemas']['RecoveryRequest'];
export type RecoveryStatus = components['schemas']['RecoveryStatus'];
export type RemovedBlog = components['schemas']['RemovedBlog'];
export type SandboxState = components['schemas']['SandboxState'];
export type ScreenshotDetail = components['schemas']['ScreenshotDetail'];
export type ScreenshotKind = components['schemas']['ScreenshotKind'];
export type SecretRotation = components['schemas']['SecretRotation'];
export type SecretsKeyRotation = components['schemas']['SecretsKeyRotation'];
export type SeoGeneration = components['schemas']['SeoGeneration'];
export type SeoPlugin = components['schemas']['SeoPlugin'];
export type SeoPreview = components['schemas']['SeoPreview'];
export type SeoPreviewValue = components['schemas']['SeoPreviewValue'];
export type SeoSource = components['schemas']['SeoSource'];
export type SeoValue = components['schemas']['SeoValue'];
export type Session = components['schemas']['Session'];
export type SessionInput = components['schemas']['SessionInput'];
export type ShopPlatform = components['schemas']['ShopPlatform'];
export type SlugMoved = components['schemas']['SlugMoved'];
export type StorageLimits = components['schemas']['StorageLimits'];
export type StorageLimitsPatch = components['schemas']['StorageLimitsPatch'];
export type StorageUsage = components['schemas']['StorageUsage'];
export type TagCount = components['schemas']['TagCount'];
export type TextDirection = components['schemas']['TextDirection'];
export type UpsertResult = components['schemas']['UpsertResult'];
export type UpsertedProduct = components['schemas']['UpsertedProduct'];
export type Usage = components['schemas']['Usage'];
export type UsageHour = components['schemas']['UsageHour'];
export type Viewport = components['schemas']['Viewport'];
export type VisualCheck = components['schemas']['VisualCheck'];
export type VisualCheckChecker = components['schemas']['VisualCheckChecker'];
export type VisualCheckComparison = components['schemas']['VisualCheckComparison'];
export type VisualCheckCompletedEvent = components['schemas']['VisualCheckCompletedEvent'];
export type VisualCheckCompletedEventData = components['schemas']['VisualCheckCompletedEventData'];
export type VisualCheckCoverage = components['schemas']['VisualCheckCoverage'];
export type VisualCheckEnvironment = components['schemas']['VisualCheckEnvironment'];
export type VisualCheckInput = components['schemas']['VisualCheckInput'];
export type VisualCheckList = components['schemas']['VisualCheckList'];
export type VisualCheckSchedule = components['schemas']['VisualCheckSchedule'];
export type VisualCheckScores = components['schemas']['VisualCheckScores'];
export type VisualCheckScreenshot = components['schemas']['VisualCheckScreenshot'];
export type VisualCheckStatus = components['schemas']['VisualCheckStatus'];
export type VisualCheckSummary = components['schemas']['VisualCheckSummary'];
export type VisualCheckTimings = components['schemas']['VisualCheckTimings'];
export type VisualCheckTrigger = components['schemas']['VisualCheckTrigger'];
export type VisualFinding = components['schemas']['VisualFinding'];
export type VisualFindingSummary = components['schemas']['VisualFindingSummary'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDisabledBy = components['schemas']['WebhookDisabledBy'];
export type WebhookInput = components['schemas']['WebhookInput'];
export type WebhookList = components['schemas']['WebhookList'];
export type WebhookPatch = components['schemas']['WebhookPatch'];
export type WebhookProduct = components['schemas']['WebhookProduct'];
export type WebhookReceipt = components['schemas']['WebhookReceipt'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterRange = components['parameters']['Range'];
export type $defs = Record<string, never>;
export interface operations {
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountPatch"];
            };
        };
        responses: {
            /** @description The updated account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAnyAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateAnyAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountAdminPatch"];
            };
        };
        responses: {
            /** @description The updated account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importBlogs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogImport"];
            };
        };
        responses: {
            /** @description The result of each blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "index": 0,
                     *           "slug": "brewing-better-coffee",
                     *           "result": "created",
                     *           "errors": [],
                     *           "warnings": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BlogImportResults"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkBlogVisuallyFor: {
        parameters: {
            query?: {
                /**
                 * @description Required if several projects have a published blog with the slug. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
            };
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /**
                 * @description The current or a former slug of the blog
                 * @example pour-over-same-every-morning
                 */
                blog: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisualCheckInput"];
            };
        };
        responses: {
            /** @description The queued check */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisualCheck"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheckFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /**
                 * @description The blog id
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                blog: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisualCheck"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheckReportFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /**
                 * @description The blog id
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                blog: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report as one HTML file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     <meta charset="utf-8">
                     *     <title>70 of 100: https://harbor-coffee.example/journal/pour-over-same-every-morning</title>
                     *     …
                     *     </html>
                     */
                    "text/html": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheckScreenshotFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /**
                 * @description The blog id
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                blog: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
                /** @example k3f9x2.webp */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The screenshot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportProductsFor: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
                format: components["schemas"]["ShopPlatform"];
                /** @description The plugin of WordPress that stores the titles and descriptions of WooCommerce */
                seoPlugin?: components["schemas"]["SeoPlugin"];
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A CSV file in UTF-8 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Handle,Title,SEO Title,SEO Description
                     *     quay-blend,Quay Blend coffee beans,Quay Blend coffee beans | Harbor Coffee,Milk chocolate and hazelnut.
                     */
                    "text/csv": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProductImportFor: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
                /** @description Assigns a CSV column to a field, such as `Artikelnummer:externalId`. Repeat it for each column. Fields are those of a product, and `attributes.<name>` */
                map?: string[];
            };
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {"externalId":"HC-quay-blend-250","sku":"HC-QUAY-BLEND-250","title":"Quay Blend coffee beans","description":"The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.","price":9.5,"category":"Coffee > Beans > Blends","imageUrl":"https://images.harbor-coffee.example/products/quay-blend.jpg","brand":"Harbor Coffee","currency":"EUR","availability":"in_stock","attributes":{"size":"250 g","roast":"medium"},"tags":["coffee","beans"],"groupId":"quay-blend"} */
                "application/x-ndjson": string;
                /**
                 * @example externalId,title,price,category
                 *     HC-quay-blend-250,Quay Blend coffee beans,9.50,Coffee > Beans > Blends
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The queued import */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProductImportFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /** @example 0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProductImportErrorsFor: {
        parameters: {
            query?: {
                /** @description `rows`: the failed rows, to fix and upload again. `report`: NDJSON lines `{line, externalId, errors}` */
                as?: components["schemas"]["ImportErrorsFormat"];
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
                /** @example 0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"externalId":"HC-quay-blend-250","sku":"HC-QUAY-BLEND-250","title":"Quay Blend coffee beans","description":"The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.","price":"9,50","category":"Coffee > Beans > Blends","imageUrl":"https://images.harbor-coffee.example/products/quay-blend.jpg","brand":"Harbor Coffee","currency":"EUR","availability":"in_stock","attributes":{"size":"250 g","roast":"medium"},"tags":["coffee","beans"],"groupId":"quay-blend","_error":"line 17: /price must be a number"} */
                    "application/x-ndjson": string;
                    /**
                     * @example externalId,title,price,category,import_error
                     *     HC-quay-blend-250,Quay Blend coffee beans,"9,50",Coffee > Beans > Blends,line 17: /price write 9.50
                     */
                    "text/csv": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    optimizeProductsFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizeRequest"];
            };
        };
        responses: {
            /** @description The number of queued products */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 73
                     *     }
                     */
                    "application/json": components["schemas"]["OptimizeResult"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewOptimizationFor: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizationPreviewRequest"];
            };
        };
        responses: {
            /** @description The texts. Unknown products are omitted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptimizationPreview"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sampleProductsFor: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
                size?: number;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example demo */
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sample */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductSample"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportEverything: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export as NDJSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"type":"account","record":{"id":"demo","plan":"samurai"}}
                     *     {"type":"project","record":{"id":"harbor-coffee","name":"Harbor Coffee"}}
                     */
                    "application/x-ndjson": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listQueues: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queues of all jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueStateList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeadJobs: {
        parameters: {
            query?: {
                /** @description The maximum number of jobs */
                limit?: number;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The job name
                 * @example deliver-webhooks
                 */
                job: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dead jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadJobList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryDeadJobs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The job name
                 * @example deliver-webhooks
                 */
                job: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRetry"];
            };
        };
        responses: {
            /** @description The number of retried jobs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRetryResult"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateSecretsKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": 12,
                     *       "reencrypted": 14,
                     *       "unreadable": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SecretsKeyRotation"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description The number of entries per page */
                pageSize?: number;
                /** @description The `nextCursor` of the page before; all other parameters stay the same */
                cursor?: string;
                /** @description Only changes by this actor: the id of a key or user */
                actor?: string;
                /** @description Only this action */
                action?: components["schemas"]["AuditAction"];
                /** @description Only changes of the record with this id */
                target?: string;
                /** @description Only changes at this time or later */
                since?: string;
                /** @description Only changes before this time */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The sequence of the last event that you received */
                after?: number;
                limit?: number;
                /** @description Only events of this type. May be repeated */
                type?: components["schemas"]["EventType"][];
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "0198e6a4-2c3d-7e4f-9a51-6b7c8d9e0f12",
                     *           "type": "products.optimized",
                     *           "apiVersion": "2026-11-01",
                     *           "timestamp": "2026-01-31T09:00:05.000Z",
                     *           "sequence": 42,
                     *           "data": {
                     *             "projectId": "harbor-coffee",
                     *             "products": [
                     *               {
                     *                 "external_id": "HC-quay-blend-250",
                     *                 "meta_title": "Quay Blend coffee beans, 250 g | Harbor Coffee",
                     *                 "meta_description": "Quay Blend coffee beans: Milk chocolate, hazelnut and a little dried apricot.",
                     *                 "page_title": "Quay Blend coffee beans",
                     *                 "page_description": "The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.",
                     *                 "image_url": "https://images.harbor-coffee.example/products/quay-blend.jpg",
                     *                 "handle": "quay-blend-coffee-beans"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "next": 42
                     *     }
                     */
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyInput"];
            };
        };
        responses: {
            /** @description The key with its value */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithValue"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyPatch"];
            };
        };
        responses: {
            /** @description The updated key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key with its new value */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyWithValue"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projects, ordered by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectInput"];
            };
        };
        responses: {
            /** @description The project */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectPatch"];
            };
        };
        responses: {
            /** @description The updated project */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionInput"];
            };
        };
        responses: {
            /** @description The session */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogs: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
                /** @description The `nextCursor` of the page before, instead of `page`; all other parameters stay the same. The fastest way to read long lists. The response has no totals */
                cursor?: string;
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description Case-insensitive */
                category?: string;
                /** @description Case-insensitive */
                tag?: string;
                /** @description The complete language tag. Case-insensitive. A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
                /** @description The name of one of the authors. Case-insensitive */
                author?: string;
                /** @description Search words. All must match; the last one may be a prefix. Matches in the title come first */
                q?: string;
                publishedAfter?: string;
                publishedBefore?: string;
                /** @description Only blogs that have changed since. The response also lists removed blogs. A change becomes visible some time after its timestamp: to miss none, send the time one minute before you began the last read */
                updatedSince?: string;
                /** @description Values other than `published` require the scope blogs:write */
                status?: components["schemas"]["BlogStatusFilter"];
                /** @description The order; a minus sign means descending. Blogs with equal values are ordered by id. `publishAt` requires `status=scheduled`. Default: `-publishedAt`; with `q`, blogs that match in the title first */
                sort?: components["schemas"]["BlogSort"];
                /** @description `content` adds `htmlContent`, `cssContent` and `schemaOrgJson` to each blog */
                include?: "content";
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of blogs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBlog: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogInput"];
            };
        };
        responses: {
            /** @description The created blog */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogAuthors: {
        parameters: {
            query?: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authors */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "author": "Maren Ost",
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuthorCount"][];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBlogById: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogCategories: {
        parameters: {
            query?: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The categories */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "category": "Brewing",
                     *         "count": 2
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CategoryCount"][];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJsonFeed: {
        parameters: {
            query?: {
                /**
                 * @description Required if the account has more than one project. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description Only blogs of this category */
                category?: string;
                /** @description Only blogs of this locale. A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
                /** @description The URL at which the website serves the file. Default: `feed.json` below the blog list */
                selfUrl?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Harbor Coffee",
                     *       "home_page_url": "https://harbor-coffee.example/journal",
                     *       "items": [
                     *         {
                     *           "id": "urn:uuid:0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11",
                     *           "url": "https://harbor-coffee.example/journal/pour-over-same-every-morning",
                     *           "title": "A pour-over that tastes the same every morning",
                     *           "content_text": "Water, coffee and time are three dials.",
                     *           "date_published": "2025-02-11T07:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRssFeed: {
        parameters: {
            query?: {
                /**
                 * @description Required if the account has more than one project. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description Only blogs of this category */
                category?: string;
                /** @description Only blogs of this locale. A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
                /** @description The URL at which the website serves the file. Default: `feed.xml` below the blog list */
                selfUrl?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="UTF-8"?>
                     *     <rss version="2.0"><channel><title>Harbor Coffee</title><link>https://harbor-coffee.example/journal</link><item><title>A pour-over that tastes the same every morning</title><link>https://harbor-coffee.example/journal/pour-over-same-every-morning</link></item></channel></rss>
                     */
                    "application/rss+xml": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBlogImage: {
        parameters: {
            query?: {
                /**
                 * @description One of 320, 640, 960, 1280, 1920
                 * @example 640
                 */
                w?: string;
                /**
                 * @description One of avif, webp, jpeg, png, auto
                 * @example auto
                 */
                format?: string;
                /** @description The token of a preview link, for an unpublished blog */
                token?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description The requested byte range (RFC 9110, section 14)
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /** @example pour-over-87e4d031f733.webp */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogRedirects: {
        parameters: {
            query?: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The redirects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "projectId": "harbor-coffee",
                     *         "from": "the-same-pour-over",
                     *         "to": "pour-over-same-every-morning"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BlogRedirect"][];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSitemap: {
        parameters: {
            query?: {
                /**
                 * @description Required if the account has more than one project. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description The part of a sitemap index, from 1 */
                page?: number;
                /** @description The URL at which the website serves the file. Default: `sitemap.xml` below the blog list */
                selfUrl?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sitemap */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="UTF-8"?>
                     *     <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://harbor-coffee.example/journal/pour-over-same-every-morning</loc><lastmod>2026-01-31T09:00:00.000Z</lastmod></url></urlset>
                     */
                    "application/xml": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogTags: {
        parameters: {
            query?: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description A BCP 47 language tag, such as `en` or `de-CH` */
                locale?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tag": "filter",
                     *         "count": 1
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["TagCount"][];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogImages: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The images with their available widths */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogImageList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadBlogImage: {
        parameters: {
            query?: {
                /** @example pour-over-87e4d031f733.webp */
                filename?: string;
                /** @example A kettle pours a thin stream into a coral dripper */
                alt?: string;
            };
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["BlogImageUpload"];
                "image/*": string;
            };
        };
        responses: {
            /** @description The existing image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogImage"];
                };
            };
            /** @description The image */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogImage"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBlogImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /** @example pour-over-87e4d031f733.webp */
                filename: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    showBlogPreview: {
        parameters: {
            query: {
                token: string;
                /** @description The colors of articles. `inherit`: the page's text color, and tints of it. `light`, `dark`: fixed colors, whatever the page. `auto`: light or dark by the page's CSS property `color-scheme`. Default: inherit */
                colorScheme?: components["schemas"]["ColorScheme"];
                /** @description The maximum width of articles, such as `48rem`, `720px` or `65ch`. Default: null, the width of the column */
                maxWidth?: string;
                /** @description The color of links: `#rrggbb`, `#rgb`, or a custom property of the page such as `var(--brand)`. Default: null, the page's color of links */
                accentColor?: string;
                /** @description Font families separated by commas, such as `Inter, system-ui, sans-serif`. Default: null, the page's font */
                fontFamily?: string;
                /** @description The radius of the corners of images, videos and code, such as `8px`. Default: null */
                borderRadius?: string;
                /** @description The colors of code blocks. `inherit`: the article's. `plain`: without highlighting. Default: inherit */
                codeTheme?: components["schemas"]["CodeTheme"];
                /** @description The color scheme of the page around the article. Default: system */
                page?: components["schemas"]["PreviewPage"];
            };
            header?: never;
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An HTML page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     <meta charset="utf-8">
                     *     <title>A pour-over that tastes the same every morning</title>
                     *     …
                     *     </html>
                     */
                    "text/html": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewBlog: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://content.harbor-coffee.example/api/v1/blogs/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/preview?token=1769936400.Zk3v9q",
                     *       "token": "1769936400.Zk3v9q",
                     *       "expiresAt": "2026-02-01T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BlogPreview"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    publishBlog: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy. The response is 412 if the blog has changed since */
                "If-Match"?: string;
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "publishAt": "2026-02-02T07:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["BlogPublication"];
            };
        };
        responses: {
            /** @description The updated blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renderBlog: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogPatch"];
            };
        };
        responses: {
            /** @description The rendered blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlogRevisions: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of revisions without their source */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogRevisionList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBlogRevision: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /**
                 * @description The number
                 * @example 1
                 */
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogRevisionDetail"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreBlogRevision: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy. The response is 412 if the blog has changed since */
                "If-Match"?: string;
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /**
                 * @description The number
                 * @example 1
                 */
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unpublishBlog: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy. The response is 412 if the blog has changed since */
                "If-Match"?: string;
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkBlogVisually: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: do not wait for the result */
                Prefer?: string;
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisualCheckInput"];
            };
        };
        responses: {
            /** @description The finished check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisualCheck"];
                };
            };
            /** @description The check, which is in progress */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f",
                     *       "blogId": "0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11",
                     *       "url": "https://harbor-coffee.example/journal/pour-over-same-every-morning",
                     *       "finalUrl": null,
                     *       "environment": "live",
                     *       "trigger": "request",
                     *       "status": "queued",
                     *       "overallScore": null,
                     *       "reason": null,
                     *       "createdAt": "2026-01-31T10:00:00.000Z",
                     *       "finishedAt": null,
                     *       "categories": null,
                     *       "findings": [],
                     *       "coverage": null,
                     *       "screenshots": [],
                     *       "since": null,
                     *       "checker": null,
                     *       "timings": null
                     *     }
                     */
                    "application/json": components["schemas"]["VisualCheck"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVisualChecks: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
                /** @description Lists only the checks of this page */
                url?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of checks without findings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisualCheckList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheck: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VisualCheck"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheckReport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     <meta charset="utf-8">
                     *     <title>70 of 100: https://harbor-coffee.example/journal/pour-over-same-every-morning</title>
                     *     …
                     *     </html>
                     */
                    "text/html": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVisualCheckScreenshot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11 */
                blogId: string;
                /** @example 0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f */
                checkId: string;
                /** @example k3f9x2.webp */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The screenshot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBlog: {
        parameters: {
            query?: {
                /**
                 * @description The project of the blog. Default: all projects of the API key; the newest blog wins. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                /** @description `related` adds the related blogs */
                include?: "related";
                /** @description The number of related blogs, with `include=related` */
                relatedLimit?: number;
                /** @description The token of `POST /blogs/{blogId}/preview`: returns the blog in any state, as it will be */
                preview?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The slug of the blog, or its id
                 * @example pour-over-same-every-morning
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Blog"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The blog has a new slug */
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "slug_moved",
                     *       "slug": "pour-over-same-every-morning"
                     *     }
                     */
                    "application/json": components["schemas"]["SlugMoved"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBlog: {
        parameters: {
            query?: {
                /**
                 * @description Required if several projects have a blog with the slug. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
            };
            header?: {
                /** @description The ETag of your copy. The response is 412 if the blog has changed since */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The slug of the blog, or its id
                 * @example pour-over-same-every-morning
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateBlog: {
        parameters: {
            query?: {
                /**
                 * @description Required if several projects have a blog with the slug. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
            };
            header?: {
                /** @description The ETag of your copy. The response is 412 if the blog has changed since */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The slug of the blog, or its id
                 * @example pour-over-same-every-morning
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogPatch"];
            };
        };
        responses: {
            /** @description The updated blog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlogDraft"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRelatedBlogs: {
        parameters: {
            query?: {
                /**
                 * @description The project of the blog. Default: all projects of the API key; the newest blog wins. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                limit?: number;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The slug of the blog, or its id
                 * @example pour-over-same-every-morning
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The related blogs, most similar first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11",
                     *         "title": "A pour-over that tastes the same every morning",
                     *         "slug": "pour-over-same-every-morning",
                     *         "metaTitle": "A pour-over that tastes the same every morning",
                     *         "metaDescription": "Seven steps, one kitchen scale and three minutes: a pour-over method you can repeat half asleep, and what to change when the cup tastes off.",
                     *         "excerpt": "What they lack is a routine. Water, coffee and time are three dials.",
                     *         "cover": {
                     *           "url": "https://content.harbor-coffee.example/api/v1/blogs/images/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/pour-over-87e4d031f733.webp",
                     *           "srcset": "https://content.harbor-coffee.example/api/v1/blogs/images/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/pour-over-87e4d031f733.webp?w=640&format=auto 640w, https://content.harbor-coffee.example/api/v1/blogs/images/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/pour-over-87e4d031f733.webp?format=auto 1280w",
                     *           "width": 1280,
                     *           "height": 720,
                     *           "alt": "A kettle pours a thin stream into a coral dripper that stands on a glass carafe and a scale"
                     *         },
                     *         "ogImageUrl": "https://content.harbor-coffee.example/api/v1/blogs/images/0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11/og-8ee8543d96e7a9c3.jpg",
                     *         "publishedAt": "2025-02-11T07:30:00.000Z",
                     *         "locale": "en",
                     *         "authors": [
                     *           {
                     *             "name": "Maren Ost",
                     *             "url": "https://harbor-coffee.example/people/maren-ost"
                     *           }
                     *         ],
                     *         "category": "Brewing",
                     *         "tags": [
                     *           "pour-over",
                     *           "how-to",
                     *           "filter"
                     *         ],
                     *         "score": 0.42
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BlogSummary"][];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The blog has a new slug */
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "slug_moved",
                     *       "slug": "pour-over-same-every-morning"
                     *     }
                     */
                    "application/json": components["schemas"]["SlugMoved"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
                /**
                 * @description Default: all projects of the account. 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
                status?: components["schemas"]["ProductStatus"];
                /** @description A category path or its first levels */
                category?: string;
                sku?: string;
                externalId?: string;
                groupId?: string;
                /** @description The handle of a page. Returns all its variants */
                handle?: string;
                /** @description Products with this problem of their texts */
                quality?: components["schemas"]["ProductQualityIssue"];
                /** @description Only products that have changed since. A change becomes visible some time after its timestamp: to miss none, send the time one minute before you began the last read */
                updatedSince?: string;
                /** @description Words to find in title, SKU, externalId and brand */
                q?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    upsertProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductInput"];
            };
        };
        responses: {
            /** @description The product existed. `result` indicates whether it has changed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedProduct"];
                };
            };
            /** @description The product was created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedProduct"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importProductBatch: {
        parameters: {
            query?: {
                /** @description Write all products or none */
                atomic?: boolean;
                /** @description Return the same counts without writing */
                dryRun?: boolean;
            };
            header?: {
                /** @description `respond-async`: process the batch as an import */
                Prefer?: string;
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductBatch"];
            };
        };
        responses: {
            /** @description The result of the batch */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductBatchResult"];
                };
            };
            /** @description The import that processes the batch */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportProducts: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
                format: components["schemas"]["ShopPlatform"];
                /** @description The plugin of WordPress that stores the titles and descriptions of WooCommerce */
                seoPlugin?: components["schemas"]["SeoPlugin"];
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A CSV file in UTF-8 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example Handle,Title,SEO Title,SEO Description
                     *     quay-blend,Quay Blend coffee beans,Quay Blend coffee beans | Harbor Coffee,Milk chocolate and hazelnut.
                     */
                    "text/csv": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProductImports: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of imports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImportList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProductImport: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
                /** @description Assigns a CSV column to a field, such as `Artikelnummer:externalId`. Repeat it for each column. Fields are those of a product, and `attributes.<name>` */
                map?: string[];
            };
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {"externalId":"HC-quay-blend-250","sku":"HC-QUAY-BLEND-250","title":"Quay Blend coffee beans","description":"The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.","price":9.5,"category":"Coffee > Beans > Blends","imageUrl":"https://images.harbor-coffee.example/products/quay-blend.jpg","brand":"Harbor Coffee","currency":"EUR","availability":"in_stock","attributes":{"size":"250 g","roast":"medium"},"tags":["coffee","beans"],"groupId":"quay-blend"} */
                "application/x-ndjson": string;
                /**
                 * @example externalId,title,price,category
                 *     HC-quay-blend-250,Quay Blend coffee beans,9.50,Coffee > Beans > Blends
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The queued import */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProductImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelProductImport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import, which stops before the next batch of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductImport"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProductImportErrors: {
        parameters: {
            query?: {
                /** @description `rows`: the failed rows, to fix and upload again. `report`: NDJSON lines `{line, externalId, errors}` */
                as?: components["schemas"]["ImportErrorsFormat"];
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"externalId":"HC-quay-blend-250","sku":"HC-QUAY-BLEND-250","title":"Quay Blend coffee beans","description":"The house coffee since our first winter. Milk chocolate, hazelnut and a little dried apricot.","price":"9,50","category":"Coffee > Beans > Blends","imageUrl":"https://images.harbor-coffee.example/products/quay-blend.jpg","brand":"Harbor Coffee","currency":"EUR","availability":"in_stock","attributes":{"size":"250 g","roast":"medium"},"tags":["coffee","beans"],"groupId":"quay-blend","_error":"line 17: /price must be a number"} */
                    "application/x-ndjson": string;
                    /**
                     * @example externalId,title,price,category,import_error
                     *     HC-quay-blend-250,Quay Blend coffee beans,"9,50",Coffee > Beans > Blends,line 17: /price write 9.50
                     */
                    "text/csv": string;
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    optimizeProducts: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizeRequest"];
            };
        };
        responses: {
            /** @description The number of queued products */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 73
                     *     }
                     */
                    "application/json": components["schemas"]["OptimizeResult"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProductQuality: {
        parameters: {
            query: {
                /**
                 * @description Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -
                 * @example harbor-coffee
                 */
                projectId: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of products with each problem */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductQuality"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a3-4d2b-7c18-9a51-7e2f4b6c8d01 */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy. The response is 412 if the product has changed since */
                "If-Match"?: string;
            };
            path: {
                /** @example 0198e6a3-4d2b-7c18-9a51-7e2f4b6c8d01 */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of your copy. The response is 412 if the product has changed since */
                "If-Match"?: string;
            };
            path: {
                /** @example 0198e6a3-4d2b-7c18-9a51-7e2f4b6c8d01 */
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductPatch"];
            };
        };
        responses: {
            /** @description The updated product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhooks, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        responses: {
            /** @description The webhook with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a4-3d4e-7f50-8b62-7c8d9e0f1a23 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a4-3d4e-7f50-8b62-7c8d9e0f1a23 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queued delivery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRecovery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a4-4e5f-7061-9c73-8d9e0f1a2b34 */
                recoveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description The updated webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The page number, from 1. A page past the end is empty */
                page?: number;
                /** @description The number of items per page */
                pageSize?: number;
                status?: components["schemas"]["DeliveryStatus"];
                event?: components["schemas"]["EventType"];
                since?: string;
            };
            header?: {
                /**
                 * @description The ETag of your copy. The response is 304 while the copy is current
                 * @example "v3-2jmj7l5rSw0yVb_vlWAYkK_YBwk"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description The copy named in If-None-Match is current */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoveryRequest"];
            };
        };
        responses: {
            /** @description The recovery */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The webhook with its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes the request safe to retry for 24 hours: 16 to 255 visible ASCII characters
                 * @example 0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response of the receiver */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PingResult"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "missing": [],
                     *       "browser": {
                     *         "sandbox": "on"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "missing": []
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP svc_http_requests_total HTTP responses by route pattern, method and status
                     *     # TYPE svc_http_requests_total counter
                     *     svc_http_requests_total{route="/api/v1/blogs/:slug",method="GET",status="200"} 1027
                     */
                    "text/plain": string;
                };
            };
            /** @description A problem document */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    onProductsOptimized: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductsOptimizedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProductsImportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductImportCompletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBlogPublished: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBlogUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBlogUnpublished: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBlogDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlogEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVisualCheckCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VisualCheckCompletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPing: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type */
                "X-Svc-Event": string;
                /** @description `sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8 */
                "X-Svc-Signature": string;
                /** @description The delivery id, the same in every attempt */
                "X-Svc-Delivery": string;
                /** @description The number of the attempt, from 1 */
                "X-Svc-Attempt": string;
                /** @description The event id */
                "webhook-id": string;
                /** @description The time of the signature, in Unix seconds */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the decoded secret (Standard Webhooks). During the rotation of the secret there are several signatures, separated by spaces. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description Received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "received": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
            /** @description The signature is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver no longer exists: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
