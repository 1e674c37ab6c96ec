/** An article as the service delivers it, with the style of the site around it. */
export interface PreviewMessage {
  title: string
  html: string
  css: string
  lang: string
  dir: 'ltr' | 'rtl'
  /** A name in site-styles.ts. */
  siteStyle: string
  colorScheme: 'light' | 'dark'
}

/** What the frame sends when it is ready for messages. */
export const PREVIEW_READY = 'preview-ready'
