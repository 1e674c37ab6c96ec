import type { FindingCode } from '../../../../services/visual-checks/rules/codes.ts'
import { setType, setVisibility, TITLE } from '../snapshots.ts'
import type { Case } from './case.ts'

const place = { selector: '.wide', box: { x: 0, y: 0, width: 1500, height: 300 } }
const coveredBy = { ...place, text: 'We value your privacy', position: 'fixed' }

export const layout = {
  TEXT_HIDDEN: {
    found: 'one paragraph that is not displayed',
    change: (facts) => {
      setVisibility(facts, { rendered: false }, [3])
    },
    harmless: 'a full text that a reader scrolls to',
    spare: (facts) => {
      facts.document.scrollHeight = 90_000
    }
  },
  TEXT_TRANSPARENT: {
    found: 'text at an opacity of 0, and text that a mask takes away',
    change: (facts) => {
      setVisibility(facts, { opacity: 0 })
      setVisibility(facts, { opacity: 1, paintedShare: 0 }, [4, 5, 6, 7])
    },
    harmless: 'text at an opacity of 0.87, whose last line is faded',
    spare: (facts) => {
      setVisibility(facts, { opacity: 0.87, paintedShare: 0.7 })
    }
  },
  TEXT_CLIPPED: {
    found: 'text below the edge of a box of fixed height',
    change: (facts) => {
      setVisibility(facts, { clippedShare: 1 }, [4, 5, 6, 7])
      setVisibility(facts, { clippedShare: 0.3 }, [3])
    },
    harmless: 'a line that touches the edge of its box',
    spare: (facts) => {
      setVisibility(facts, { clippedShare: 0.04 })
    }
  },
  TEXT_OFFSCREEN: {
    found: 'text to the left of the page',
    change: (facts) => {
      setVisibility(facts, { offScreenShare: 1 }, [2])
    },
    harmless: 'letters that hang over the edge by a hair',
    spare: (facts) => {
      setVisibility(facts, { offScreenShare: 0.02 })
    }
  },
  TEXT_SHRUNK: {
    found: 'text of 1 px',
    change: (facts) => {
      setType(facts, { fontPx: 1 })
    },
    harmless: 'a small caption',
    spare: (facts) => {
      setType(facts, { fontPx: 12 }, [4])
    }
  },
  TEXT_INVISIBLE_COLOR: {
    found: 'white text on white',
    change: (facts) => {
      setVisibility(facts, { contrast: 1 })
      setVisibility(facts, { contrast: 1.4 }, [1])
    },
    harmless: 'text on a picture, whose contrast cannot be told',
    spare: (facts) => {
      setVisibility(facts, { contrast: null })
    }
  },
  TEXT_COVERED: {
    found: 'a box of fixed place over most of the text',
    change: (facts) => {
      setVisibility(facts, { coveredShare: 0.8, coveredBy })
      facts.layersShare = 0.7
    },
    harmless: 'a bar at the foot that lies over the last line of the page',
    spare: (facts) => {
      setVisibility(facts, { coveredShare: 0.1, coveredBy }, [7])
    }
  },
  TEXT_CUT_OFF: {
    found: 'lines whose end is cut off',
    change: (facts) => {
      setVisibility(facts, { clippedShare: 0.3 }, [0, 2])
    },
    harmless: 'a box that cuts a hair of its lines',
    spare: (facts) => {
      setVisibility(facts, { clippedShare: 0.05 }, [0, 2])
    }
  },
  VIEWPORT_OBSTRUCTED: {
    found: 'a header that keeps a third of the screen',
    change: (facts) => {
      facts.layersShare = 0.36
      facts.layers = [{ selector: 'header', box: place.box, position: 'fixed', share: 0.36, text: 'Garden' }]
    },
    harmless: 'a header and a bar that keep a fifth',
    spare: (facts) => {
      facts.layersShare = 0.2
    }
  },
  TEXT_OVERLAP: {
    found: 'paragraphs that lie on each other',
    change: (facts) => {
      facts.overlaps = [{ block: 2, other: 3, share: 0.6, place }]
    },
    harmless: 'lines that touch',
    spare: (facts) => {
      facts.overlaps = [{ block: 2, other: 3, share: 0.05, place }]
    }
  },
  HORIZONTAL_OVERFLOW: {
    found: 'a table wider than the screen',
    change: (facts) => {
      facts.overflows = [{ ...place, overflowPx: 400, inArticle: true }]
      facts.document.scrollWidth += 400
    },
    harmless: 'an element two pixels too wide',
    spare: (facts) => {
      facts.overflows = [{ ...place, overflowPx: 2, inArticle: true }]
      facts.document.scrollWidth += 2
    }
  },
  PAGE_OVERFLOW_OUTSIDE_ARTICLE: {
    found: 'a footer wider than the screen',
    change: (facts) => {
      facts.overflows = [{ ...place, overflowPx: 90, inArticle: false }]
      facts.document.scrollWidth += 90
    },
    harmless: 'a link for screen readers outside of the page that cannot be scrolled to',
    spare: (facts) => {
      facts.overflows = [{ ...place, overflowPx: 9999, inArticle: false }]
    }
  },
  NO_MOBILE_VIEWPORT: {
    found: 'a telephone that lays the page out for 980 px',
    change: (facts) => {
      if (facts.viewport === 'mobile') {
        Object.assign(facts.document, { layoutWidth: 980, scrollWidth: 1200, viewportMeta: null })
      }
    },
    harmless: 'a page for laptops without that element',
    spare: (facts) => {
      if (facts.viewport === 'desktop') facts.document.viewportMeta = null
    }
  },
  COLUMN_TOO_NARROW: {
    found: 'lines of two words',
    change: (facts) => {
      setType(facts, { lines: 20, charactersPerLine: 11, lineCapacity: 14 })
    },
    harmless: 'narrow lines on a telephone',
    spare: (facts) => {
      setType(facts, { lines: 6, charactersPerLine: 30, lineCapacity: 34 })
    }
  },
  TEXT_SCALED: {
    found: 'text at 0.6 of its size',
    change: (facts) => {
      setVisibility(facts, { scale: 0.6 })
      setType(facts, { fontPx: 9.6 })
    },
    harmless: 'text enlarged by a tenth',
    spare: (facts) => {
      setVisibility(facts, { scale: 1.1 })
    }
  },
  TEXT_ROTATED: {
    found: 'text that stands on its head',
    change: (facts) => {
      setVisibility(facts, { rotation: 180 })
    },
    harmless: 'text that leans by a degree',
    spare: (facts) => {
      setVisibility(facts, { rotation: 359 })
      facts.document.h1s[0]!.text = TITLE
    }
  }
} satisfies Partial<Record<FindingCode, Case>>
