import Link from 'next/link'
import type { ReactNode } from 'react'
import { BLOG_PATH } from './content'
import './site.css'

/** The document of every page. A post sets its language. */
export function Document({ lang, children }: { lang: string; children: ReactNode }) {
  return (
    <html lang={lang}>
      <head>
        <link rel="icon" href="data:," />
        <link rel="alternate" type="application/rss+xml" title="Posts" href={`${BLOG_PATH}/feed.xml`} />
      </head>
      <body>
        <header>
          <Link href={BLOG_PATH}>All posts</Link>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
