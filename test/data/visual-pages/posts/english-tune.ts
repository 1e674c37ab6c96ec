import type { PostSource } from '../types.ts'

export const TAP: PostSource = {
  id: 'dripping-tap',
  half: 'tune',
  locale: 'en',
  title: 'Fix a dripping tap in half an hour',
  metaDescription: 'Which washer fits, how to close the valve, and the five steps that stop a dripping tap for good.',
  category: 'Household',
  tags: ['plumbing', 'repair'],
  author: 'Mara Olsen',
  publishedAt: '2026-03-12T08:30:00.000Z',
  translationKey: 'repairs',
  pictures: [
    { file: 'tap.jpg', kind: 'still-life', alt: 'A brass tap above a stone basin', width: 1200, height: 800 },
    { file: 'washer.jpg', kind: 'diagram', alt: 'The parts of a tap in the order of assembly', width: 960, height: 640 }
  ],
  markdown: `A tap that drips once a second wastes about *fifteen liters a day*. The cause is almost always a washer that costs less than a cup of coffee, and you can replace it with two tools.

![A brass tap above a stone basin](tap.jpg)

## What you need

- an adjustable wrench, or a **14 mm** open one
- a flat screwdriver
- a washer of the right size; see the [table of sizes](/guides/washers) below
- an old towel

Close the valve below the basin first. If there is none, close the [main valve](/guides/main-valve) of the flat and open the tap until the pipe is empty.

## Five steps

1. Lay the towel into the basin, so that no screw is lost.
2. Lift the cap off the handle with the screwdriver.
3. Loosen the nut below the handle. Turn it *against* the clock.
4. Pull out the stem and replace the washer at its end.
5. Put everything back in reverse order, and open the valve slowly.

![The parts of a tap in the order of assembly](washer.jpg)

> Never force a nut that does not move. A drop of oil and ten minutes do more than a longer wrench.

### Sizes of washers

| Tap | Outer diameter | Thickness | Price |
| --- | ---: | ---: | ---: |
| Kitchen | 18 mm | 4 mm | 0.60 |
| Bathroom | 15 mm | 3 mm | 0.45 |
| Garden | 21 mm | 5 mm | 0.80 |

## Before you leave

- [x] The valve is open again
- [x] The towel is dry
- [ ] The old washer is in the bin, not in the drain

Most taps last another ten years after this repair[^1]. Write the size of the washer on a piece of tape below the basin: the next person will thank you.

## Frequently asked questions

### Why does it still drip?

The seat below the washer may be rough. A [seat cutter](https://tools.example/seat-cutter) makes it smooth in a minute.

### May I do this in a rented flat?

Yes, small repairs are yours to make. Tell the owner if the valve itself leaks.

[^1]: With hard water, clean the washer every second year.
`
}

export const LOGS: PostSource = {
  id: 'structured-logs',
  half: 'tune',
  locale: 'en',
  title: 'Structured logs without a framework',
  metaDescription: 'Forty lines of JavaScript write logs that machines can search and people can still read.',
  category: 'Engineering',
  tags: ['logging', 'node'],
  author: 'Ilse Brandt',
  publishedAt: '2026-01-27T14:00:00.000Z',
  pictures: [
    {
      file: 'flow.jpg',
      kind: 'diagram',
      alt: 'A log line on its way from a process to a search',
      width: 1280,
      height: 720
    }
  ],
  markdown: `Text logs are easy to write and hard to search. One JSON object a line is nearly as easy, and every tool can filter it. This post builds a logger from \`process.stdout\` and nothing else.

## The smallest logger

Every line has a level, a time and a message. Fields of the caller come last, so that they cannot replace the others.

\`\`\`js
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 }

export function createLogger (minimum = 'info', out = process.stdout) {
  const write = (level, message, fields = {}) => {
    if (LEVELS[level] < LEVELS[minimum]) return
    out.write(JSON.stringify({ ...fields, level, time: Date.now(), message }) + '\\n')
  }
  return Object.fromEntries(Object.keys(LEVELS).map((level) => [level, write.bind(null, level)]))
}
\`\`\`

Call it with a message first: \`log.warn('slow query', { ms: 812 })\`. A search for \`level=40\` then finds all warnings of a day.

![A log line on its way from a process to a search](flow.jpg)

## What belongs into a line

| Field | Example | Why |
| --- | --- | --- |
| \`requestId\` | \`7f3a90\` | joins the lines of one request |
| \`userId\` | \`1042\` | answers "was it only me?" |
| \`ms\` | \`812\` | durations can be sorted |

Do **not** log passwords, tokens or whole request bodies. Remove them at the source:

\`\`\`python
SECRET = {"password", "token", "authorization"}

def redact(fields):
    return {key: "***" if key in SECRET else value for key, value in fields.items()}
\`\`\`

> A log that you may not share with a colleague is a log that nobody reads.

### Rotate outside of the process

Let the process write to its standard output, and let the [service manager](/ops/services) store it. The usual limits:

1. one file a day,
2. at most 500 MB for each service,
3. fourteen days in total.

Watch the talk for the long version:

<iframe src="https://www.youtube.com/watch?v=a1B2c3D4e5F" width="560" height="315" title="Talk about logs"></iframe>

The [code of this post](https://code.example/logger) has tests, and a formatter for terminals with colors.
`
}
