import type { FindingCode } from '../../../../services/visual-checks/rules/codes.ts'
import type { Case } from './case.ts'

const failure = (type: string, url: string, sameHost = true) => ({ url, type, reason: '404', sameHost })

export const runtime = {
  LAYOUT_SHIFT: {
    found: 'text that moves by a third of the screen',
    change: (facts) => {
      facts.layoutShift = 0.33
    },
    harmless: 'text that moves at the border of what is good',
    spare: (facts) => {
      facts.layoutShift = 0.105
    }
  },
  JS_ERROR: {
    found: 'a script of the site that fails',
    change: (facts) => {
      facts.runtime.exceptions = [{ message: 'track is not a function', source: 'https://garden.example/app.js' }]
    },
    harmless: 'a script of others that fails',
    spare: (facts) => {
      facts.runtime.exceptions = [{ message: 'blocked', source: 'https://ads.example/tag.js' }]
    }
  },
  RESOURCE_FAILED: {
    found: 'a script of the site that is not there',
    change: (facts) => {
      facts.runtime.failures = [failure('script', 'https://garden.example/app.js')]
    },
    harmless: 'a logo of the site that is not there',
    spare: (facts) => {
      facts.runtime.failures = [failure('image', 'https://garden.example/logo.png')]
    }
  },
  THIRD_PARTY_FAILED: {
    found: 'a script of others that does not load',
    change: (facts) => {
      facts.runtime.failures = [failure('script', 'https://ads.example/tag.js', false)]
    },
    harmless: 'a picture of others that does not load',
    spare: (facts) => {
      facts.runtime.failures = [failure('image', 'https://ads.example/1.gif', false)]
    }
  },
  SLOW_RESPONSE: {
    found: 'an answer after five seconds',
    change: (facts) => {
      Object.assign(facts.runtime, { responseMs: 5000, firstContentMs: 5500 })
    },
    harmless: 'an answer at the border of three seconds',
    spare: (facts) => {
      facts.runtime.responseMs = 3000
    }
  },
  SLOW_RENDER: {
    found: 'text after six seconds',
    change: (facts) => {
      facts.runtime.firstContentMs = 6000
    },
    harmless: 'text after four seconds',
    spare: (facts) => {
      facts.runtime.firstContentMs = 4000
    }
  },
  FONT_BLOCKS_TEXT: {
    found: 'text that waits for its font',
    change: (facts) => {
      facts.lateFonts = [{ family: 'Brand', share: 0.9 }]
      facts.runtime.pending = ['https://garden.example/brand.woff2']
    },
    harmless: 'a word that waits for its font',
    spare: (facts) => {
      facts.lateFonts = [{ family: 'Icons', share: 0.01 }]
    }
  },
  ENDLESS_LOADING: {
    found: 'a request to the site that never ends',
    change: (facts) => {
      facts.runtime.pending = ['https://garden.example/api/stream']
    },
    harmless: 'a request to others that never ends',
    spare: (facts) => {
      facts.runtime.pending = ['https://chat.example/poll']
    }
  },
  DIALOG_SHOWN: {
    found: 'an alert',
    change: (facts) => {
      facts.runtime.dialogs = ['Welcome!']
    },
    harmless: 'the word alert in the text',
    spare: (facts) => {
      facts.document.text += ' alert("x")'
    }
  }
} satisfies Partial<Record<FindingCode, Case>>
