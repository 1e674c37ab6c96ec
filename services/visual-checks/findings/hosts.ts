/** The host of an address, '' where there is none; with and without `www.` are one. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : ''
}

/** An icon that browsers ask for by themselves. */
export const isFavicon = (address: string): boolean => /favicon|apple-touch-icon/i.test(address)
