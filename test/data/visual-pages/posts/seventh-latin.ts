import type { PostSource } from '../types.ts'

/** Nearly all kinds of blocks, and headings of three levels. */
export const COMPOST: PostSource = {
  id: 'compost-thermometer',
  half: 'tune',
  locale: 'en',
  title: 'A thermometer for the compost heap that sends its readings home',
  metaDescription: 'Parts, wiring and forty lines of code for a probe that tells you when the heap needs turning.',
  category: 'Garden',
  tags: ['compost', 'electronics', 'sensors'],
  author: 'Ines Calder',
  publishedAt: '2026-05-04T07:10:00.000Z',
  pictures: [
    { file: 'heap.jpg', kind: 'landscape', alt: 'A wooden compost bin at dawn', width: 1400, height: 900 },
    { file: 'wiring.jpg', kind: 'diagram', alt: 'The probe, the board and the battery', width: 1100, height: 620 }
  ],
  markdown: `A healthy heap runs at **55 to 65 °C** for about ten days. Below that, nothing happens; above that, the worms leave. You can stick your arm in to find out, or you can let a probe do it.

![A wooden compost bin at dawn](heap.jpg)

## What you need

- a waterproof probe of the type \`DS18B20\`
- a small board with a radio, such as the [Sparrow 2](https://boards.example/sparrow-2)
- three AA batteries and a box that keeps the rain out
- a resistor of 4.7 kΩ

Everything together costs about **€ 23**. The probe is the part that wears out, so buy two of them.

### Wiring

The red wire goes to 3.3 V, the black one to ground, the yellow one to pin 4. The resistor sits between red and yellow. *Check the order twice*: a probe that is wired backwards becomes hot enough to smell.

![The probe, the board and the battery](wiring.jpg)

#### If the wires have other colors

Measure first. Ground is the wire that has contact with the metal of the probe.

## The program

\`\`\`python
import time
from sparrow import Probe, radio, sleep

PIN = 4
LIMITS = {"cold": 40, "hot": 68}

def read(probe: Probe, tries: int = 3) -> float | None:
    for _ in range(tries):
        value = probe.celsius()
        if value != 85.0:  # what the chip says when it is not ready
            return value
        time.sleep(0.75)
    return None

while True:
    celsius = read(Probe(PIN))
    radio.send({"t": celsius, "alarm": celsius is None or celsius > LIMITS["hot"]})
    sleep(minutes=30)
\`\`\`

The loop reads the probe every half hour. Why 85? Because the chip answers with this number after a reset.

## How to read the curve

<iframe src="https://www.youtube.com/watch?v=h4E5aP6t7U8" width="560" height="315" title="A heap in ten days"></iframe>

1. The first two days: the curve rises by ten degrees a day.
2. The plateau. Do nothing, and above all do not turn the heap.
3. When it falls below 45 °C, turn everything over once. The curve rises again:
   - by fifteen degrees if there was too little air,
   - not at all if the heap is finished.
4. The third time, the heap is done. Leave it to the worms.

> I had turned my heap every Saturday for eleven years. The curve showed that I had interrupted it every Saturday for eleven years.
>
> — A reader from Leeds

| Reading | Meaning | What to do |
| ---: | --- | --- |
| < 20 °C | too small or too dry | add grass and water |
| 20–40 °C | it starts, or it ends | wait for two days |
| 40–65 °C | it works | nothing |
| > 68 °C | too hot | turn it, add straw |

## What I would do differently

The batteries last for a whole season[^1], but the box became damp. A bag of rice helps for a month; a [vent with a membrane](/parts/vents) helps for good.

- [x] Order the vents
- [ ] Move the antenna out of the box
- [ ] Ask Joe for his old bin

---

Questions? Write to me, and add the last ten lines of the log.

[^1]: With a reading every 30 minutes. With one every minute they last eleven days.
`
}

/** Release notes: short items with code and links, no pictures. */
export const RELEASE: PostSource = {
  id: 'release-notes-4-2',
  half: 'tune',
  locale: 'en',
  title: 'Version 4.2',
  metaDescription: 'Faster imports, a command to repair indexes, and three settings that you can now delete for good.',
  category: 'News',
  tags: ['release'],
  author: 'Sam Okafor',
  publishedAt: '2026-06-17T09:00:00.000Z',
  pictures: [],
  markdown: `Version 4.2 is out. Update with \`larch upgrade\`; there is nothing to migrate.

## Added

- \`larch repair --index NAME\` rebuilds one index while the others stay online ([#1842](https://code.example/larch/1842))
- The field \`retryAfter\` in all responses with status 429
- Imports of \`.parquet\` files

## Changed

- Imports are **2.4 times faster**, because rows are sorted before they are written
- \`larch ls\` prints sizes in MiB, not in MB
- The default of \`cache.entries\` is 20,000

## Fixed

- A crash when \`--since\` was later than \`--until\`
- Names with an apostrophe, such as *O'Brien*, were escaped twice
- ~~Typos~~ Most typos

## Removed

| Setting | Since | Use instead |
| --- | --- | --- |
| \`cache.legacy\` | 3.0 | – |
| \`log.color\` | 3.8 | the variable \`NO_COLOR\` |
| \`net.v4only\` | 4.0 | \`net.families\` |

Run this to see whether you still have one of them:

\`\`\`sh
larch config list | grep -E 'cache.legacy|log.color|net.v4only'
\`\`\`

Thanks to everyone who sent a patch.
`
}

/** An interview: bold questions, quotes of several paragraphs. */
export const INTERVIEW: PostSource = {
  id: 'geigenbauerin',
  half: 'tune',
  locale: 'de',
  title: '„Holz vergisst nichts“: Zu Besuch bei der Geigenbauerin Almut Reger',
  metaDescription: 'Ein Gespräch über Fichtenholz aus dem Winter, das Hören mit den Fingern und schlechte Kopien.',
  category: 'Gespräche',
  tags: ['Handwerk', 'Musik', 'Interview'],
  author: 'Jonas Thielemann',
  publishedAt: '2026-02-22T14:45:00.000Z',
  pictures: [
    { file: 'werkstatt.jpg', kind: 'portrait', alt: 'Almut Reger an der Werkbank', width: 1200, height: 1500 }
  ],
  markdown: `Die Werkstatt liegt im dritten Hinterhof, und wer sie sucht, hört sie zuerst: ein Kratzen, dann Stille, dann wieder ein Kratzen.

![Almut Reger an der Werkbank](werkstatt.jpg)

**Frau Reger, woran erkennt man gutes Holz?**

Am Klang, wenn man es fallen lässt. Das klingt nach einem Scherz, aber ich meine es ernst: Ein Brett aus *Haselfichte* klingt wie eine Glocke. Ein schlechtes klingt wie ein Brett.

**Und am Aussehen?**

Das Aussehen täuscht. Die Instrumentenbauvereinigung hat vor einigen Jahren einen Blindversuch gemacht; nachlesen kann man ihn [im Jahresbericht](https://geigen.example/bericht).

> Wir haben neunundzwanzig Musikerinnen und Musikern die Augen verbunden. Zwanzig von ihnen hielten die neue Geige für die alte.
>
> Die anderen neun haben geraten – das haben sie hinterher selbst gesagt.

**Was war Ihr größter Fehler?**

Ungeduld. Ich habe einmal einen Boden verleimt, der erst vier Jahre gelegen hatte. Er ist gerissen, mitten im Konzert, beim zweiten Satz von Brahms. Seitdem steht das Datum auf jedem Brett.

---

## Drei Regeln aus der Werkstatt

1. Schneide das Holz im Winter und bei abnehmendem Mond. (An den Mond glaube ich nicht. Ich halte mich trotzdem daran.)
2. Lass es so viele Jahre liegen, wie es Zentimeter dick ist – **und dann noch zwei**.
3. Hör auf, bevor du fertig bist.

**Was machen Sie, wenn eine Geige nicht klingt?**

Ich mache den Steg neu. Meistens ist es der Steg. Und wenn es nicht der Steg ist, ist es die Geigerin.
`
}

/** A gallery: many pictures with little text between them. */
export const AZULEJOS: PostSource = {
  id: 'azulejos-do-bairro',
  half: 'tune',
  locale: 'pt',
  title: 'Os azulejos do bairro',
  metaDescription: 'Quatro fachadas, quatro padrões e um mapa para as encontrar a pé numa manhã de sábado.',
  category: 'Cidade',
  tags: ['azulejos', 'passeio'],
  author: 'Rita Sampaio',
  publishedAt: '2026-03-28T09:40:00.000Z',
  pictures: [
    { file: 'porta.jpg', kind: 'still-life', alt: 'Uma porta verde entre azulejos', width: 800, height: 1200 },
    { file: 'fachada.jpg', kind: 'diagram', alt: 'A fachada da antiga padaria', width: 1600, height: 900 },
    { file: 'rua.jpg', kind: 'landscape', alt: 'A rua vista do miradouro', width: 1500, height: 600 },
    { file: 'detalhe.jpg', kind: 'diagram', alt: 'Um azulejo de perto', width: 700, height: 700 }
  ],
  markdown: `![Uma porta verde entre azulejos](porta.jpg)

O passeio começa nesta porta. Não tem número; o carteiro conhece‑a pelo batente.

## A padaria

![A fachada da antiga padaria](fachada.jpg)

Fechou em 1987, mas o padrão ficou. *Repare no canto:* três azulejos foram postos ao contrário.

## O miradouro

![A rua vista do miradouro](rua.jpg)

![Um azulejo de perto](detalhe.jpg)

Daqui vêem‑se as quatro casas. Leve [o mapa](/mapas/bairro) e água: a subida é de **96 degraus**.

- Abre às 9 h
- Entrada livre
- Cães só com trela
`
}

/** Vietnamese: marks above and below letters, and a long paragraph without breaks. */
export const COFFEE: PostSource = {
  id: 'ca-phe-phin',
  half: 'tune',
  locale: 'vi',
  title: 'Pha cà phê phin đúng cách',
  metaDescription: 'Tỉ lệ bột và nước, nhiệt độ, thời gian chờ: những điều nhỏ làm nên một tách cà phê phin ngon.',
  category: 'Ẩm thực',
  tags: ['cà phê', 'phin'],
  author: 'Nguyễn Thị Hằng',
  publishedAt: '2026-01-30T03:20:00.000Z',
  pictures: [
    { file: 'phin.jpg', kind: 'still-life', alt: 'Chiếc phin nhôm trên ly thủy tinh', width: 1000, height: 750 }
  ],
  markdown: `Một chiếc phin nhôm giá hai mươi nghìn đồng vẫn pha được cà phê ngon, nếu ta chịu khó *chờ*. Người ta hay vội ở bước đầu tiên, khi bột vừa thấm nước; chính ba mươi giây ấy quyết định vị của cả ly. Nước quá nóng làm cà phê đắng gắt, nước quá nguội thì chua và nhạt, còn nước vừa sôi để nghỉ một phút là vừa đẹp.

![Chiếc phin nhôm trên ly thủy tinh](phin.jpg)

## Bốn bước

1. Tráng phin bằng nước nóng.
2. Cho **20 g** bột, lắc nhẹ cho phẳng, đặt nắp gài.
3. Rót 30 ml nước, đợi nửa phút cho bột nở.
4. Rót thêm 70 ml, đậy nắp và chờ năm phút.

> Cà phê nhỏ từng giọt, chuyện kể từng câu.

| Loại hạt | Bột | Nước |
| --- | ---: | ---: |
| Robusta | 20 g | 100 ml |
| Arabica | 18 g | 120 ml |

Xem thêm: [cách rang hạt ở nhà](/bai-viet/rang-hat).
`
}
