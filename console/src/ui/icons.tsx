/** Outlines on a grid of 20 × 20. */
const PATHS = {
  home: 'M3 9.5 10 3l7 6.5V17h-4.5v-5h-5v5H3z',
  blogs: 'M4 3h9l3 3v11H4zM7 8h6M7 11h6M7 14h4',
  products: 'M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7',
  webhooks: 'M10 4a3 3 0 0 0-2 5.2L5.5 14M10 4a3 3 0 0 1 2.6 4.5M15 12a3 3 0 1 1-2.6 4.5H7M5 12a3 3 0 1 0 2.8 4',
  checks: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5zM10 7.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z',
  keys: 'M13 3a4 4 0 1 1-3.7 5.5L3 14.8V17h3v-2h2v-2h1.5l1-1.4A4 4 0 0 1 13 3zM13.8 6.2h.01',
  signOut: 'M8 4H4v12h4M9 10h8M14 7l3 3-3 3',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM13 13l4 4',
  check: 'M4 10.5 8.5 15 16 6',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  upload: 'M10 13V4M6.5 7.5 10 4l3.5 3.5M4 14v3h12v-3',
  external: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7'
} as const
export type IconName = keyof typeof PATHS

/** A decorative icon. The text beside it, or the label of its button, carries the meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
