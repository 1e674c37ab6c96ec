import type { ReactNode } from 'react'
import { Document } from '../../../../lib/document'
import { postOf } from '../../../../lib/post'

type Props = { params: Promise<{ slug: string }>; children: ReactNode }

/** The root layout of posts, because the language of the page is that of the post. */
export default async function Layout({ params, children }: Props) {
  return <Document lang={(await postOf(params))?.lang ?? 'en'}>{children}</Document>
}
