import { redirect } from 'next/navigation'
import { BLOG_PATH } from '../../lib/content'

export default function Home(): never {
  redirect(BLOG_PATH)
}
