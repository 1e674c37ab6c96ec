import type { PostSource } from '../types.ts'

export const SOURDOUGH: PostSource = {
  id: 'rye-sourdough',
  half: 'held-out',
  locale: 'en-GB',
  title: 'A rye sourdough that forgives mistakes',
  metaDescription: 'One bowl, no kneading and a wide margin of error: a rye loaf for busy weeks, with a timetable.',
  category: 'Baking',
  tags: ['bread', 'rye', 'sourdough'],
  author: 'Tomas Reed',
  publishedAt: '2026-02-03T06:15:00.000Z',
  translationKey: 'bread',
  pictures: [
    { file: 'loaf.jpg', kind: 'still-life', alt: 'A dark loaf on a wooden board', width: 1400, height: 934 },
    { file: 'field.jpg', kind: 'landscape', alt: 'A field of rye before the harvest', width: 1200, height: 675 },
    {
      file: 'timetable.jpg',
      kind: 'diagram',
      alt: 'A timetable of the dough from Friday to Saturday',
      width: 900,
      height: 600
    }
  ],
  markdown: `Wheat doughs want attention at the right minute. Rye does not: it has little gluten to develop, so there is nothing to knead and hardly anything to overdo. This loaf has survived a cancelled train, a power cut and a toddler.

![A dark loaf on a wooden board](loaf.jpg)

## Ingredients

* 350 g of whole rye flour
* 300 g of water at **30 °C**
* 120 g of active [starter](/basics/starter)
* 8 g of salt
* a spoon of caraway seeds, *if you like them*

## Method

1. Stir everything with a spoon until no dry flour is left.
2. Cover the bowl and wait four hours, or eight in a cool kitchen.
3. Fill a greased tin and smooth the top with a wet hand.
4. Wait until small holes show on the surface.
5. Bake for fifteen minutes at 240 °C, then for forty at 190 °C.

> Rye is ready when it looks ready. The clock is only there to remind you to look.
>
> — a baker in Turku

### When to do what

| Day | Time | Step |
| :-- | :-: | --- |
| Friday | 18:00 | feed the starter |
| Friday | 22:00 | mix the dough |
| Saturday | 07:00 | fill the tin |
| Saturday | 09:30 | bake |

![A timetable of the dough from Friday to Saturday](timetable.jpg)

## What can go wrong

**The crumb is wet.** Wait a day before you cut the loaf. Rye sets slowly[^set].

- [ ] The oven was hot before the tin went in
- [x] The loaf sounds hollow
- [x] It rested on a rack

![A field of rye before the harvest](field.jpg)

## Questions and answers

### Can I freeze it?

Yes, sliced. Toast the slices without thawing them; see [storing bread](/basics/storing).

### Is the starter sour enough?

If it smells of apples and yoghurt, it is. Write to [the bakery](mailto:hello@bakery.example) if it smells of nail varnish.

[^set]: The starch needs about twenty hours to bind the water.
`
}

export const TIDES: PostSource = {
  id: 'tide-table',
  half: 'held-out',
  locale: 'en',
  title: 'Plot a tide table with twelve lines of Python',
  metaDescription: 'Read the predictions of a harbor, find the hours with enough water, and draw them as a curve.',
  category: 'Sailing',
  tags: ['python', 'tides'],
  author: 'Grace Okafor',
  publishedAt: '2026-04-19T10:45:00.000Z',
  pictures: [
    {
      file: 'curve.jpg',
      kind: 'diagram',
      alt: 'The height of the water over a day as a curve',
      width: 1280,
      height: 720
    },
    { file: 'harbor.jpg', kind: 'landscape', alt: 'Boats on the mud at low tide', width: 1200, height: 750 }
  ],
  markdown: `A drying harbor has water for a few hours a day. The printed table says when it is high, but not *whether it is high enough for your keel*. A short script does.

![Boats on the mud at low tide](harbor.jpg)

## Get the predictions

Harbor offices publish text files with one line for each high and low water:

\`\`\`text
2026-04-19 03:12 H 5.9
2026-04-19 09:31 L 1.4
2026-04-19 15:40 H 6.2
2026-04-19 21:55 L 1.1
\`\`\`

The columns are the date, the time in **UTC**, the kind, and the height in meters above [chart datum](/terms/chart-datum).

## Draw the curve

Between two extremes, the height follows a cosine closely enough for planning:

\`\`\`python
from math import cos, pi

def height(t, start, end):
    """Height at the time t between two extremes, each a pair of time and height."""
    share = (t - start[0]) / (end[0] - start[0])
    return start[1] + (end[1] - start[1]) * (1 - cos(pi * share)) / 2
\`\`\`

Call \`height()\` for every ten minutes and print a star for each half meter. Longer scripts belong into a repository: [ours](https://code.example/tides) reads the format of nine harbors.

![The height of the water over a day as a curve](curve.jpg)

### How much water is enough?

| Boat | Draft | Reserve | Needed |
| --- | ---: | ---: | ---: |
| Dinghy | 0.4 m | 0.2 m | 0.6 m |
| Cruiser | 1.6 m | 0.5 m | 2.1 m |
| Pilot cutter | 2.3 m | 0.5 m | 2.8 m |

> The prediction is made for an average day. Low pressure and an onshore wind add half a meter, and the opposite takes it away.

## Check it against the harbor

1. Note the height on the gauge when you arrive.
2. Compare it with the curve at that minute.
3. Keep the difference for the rest of the day[^day].

- Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to stop the script.
- The output of \`--csv\` opens in a spreadsheet.
  - Choose the comma as separator.
  - Dates are in ISO format.

<iframe src="https://player.vimeo.com/video/123456789" width="640" height="360" title="Entering the harbor"></iframe>

Have a [good watch](/watches), and write down what you see.

[^day]: After a change of wind, compare again.
`
}
