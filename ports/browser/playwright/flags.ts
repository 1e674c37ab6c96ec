/**
 * Nothing is resolved, fetched or told by the browser itself: all that goes out goes through the
 * proxy, by address.
 */
const SILENCE = [
  // The proxy is asked by its address, which needs no name. Every other name or address that the
  // browser would resolve is none.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-sync',
  '--disable-translate',
  '--disable-extensions',
  '--disable-breakpad',
  '--no-first-run',
  '--no-pings'
]

/** The same page gives the same picture on every machine that has the same fonts. */
const SAMENESS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-gpu',
  '--disable-dev-shm-usage'
]

/**
 * The flags of Chromium for pages of strangers. They are our own: those that come with
 * @sparticuz/chromium switch web security and site isolation off.
 * `--disable-features` is left to Playwright, since Chromium heeds the last one alone.
 */
export const FLAGS: readonly string[] = [...SILENCE, ...SAMENESS]

/**
 * What Playwright adds for tests of one's own pages, and what protects us from those of strangers.
 */
export const UNWANTED_FLAGS: readonly string[] = ['--disable-popup-blocking', '--disable-ipc-flooding-protection']
