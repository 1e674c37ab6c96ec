import type { PostSource } from '../types.ts'

export const CHAIN: PostSource = {
  id: 'fahrradkette',
  half: 'tune',
  locale: 'de',
  title: 'Fahrradkettenverschleiß rechtzeitig erkennen',
  metaDescription: 'Eine Kettenverschleißlehre kostet wenig und erspart den Wechsel von Zahnkranz und Kettenblättern.',
  category: 'Werkstatt',
  tags: ['Fahrrad', 'Wartung'],
  author: 'Jörg Übelacker',
  publishedAt: '2026-03-20T07:00:00.000Z',
  translationKey: 'repairs',
  pictures: [
    { file: 'kette.jpg', kind: 'still-life', alt: 'Eine geölte Kette auf der Werkbank', width: 1200, height: 800 },
    { file: 'radweg.jpg', kind: 'landscape', alt: 'Ein Radweg zwischen Feldern', width: 1200, height: 675 }
  ],
  markdown: `Wer seine Kette zu spät wechselt, zahlt dreimal: Eine gelängte Kette schleift die Zähne der **Hinterradnabenschaltungsritzel** spitz, und danach springt jede neue. Die gute Nachricht: Eine *Kettenverschleißmesslehre* kostet weniger als zehn Euro.

![Eine geölte Kette auf der Werkbank](kette.jpg)

## Woran man es merkt

- Die Schaltung reagiert träge, obwohl das Schaltzugseil frisch ist.
- Auf dem größten Kettenblatt lässt sich ein Glied mehr als zwei Millimeter abheben.
- Die [Messlehre](/werkzeug/messlehre) fällt bei 0,75 % ganz hinein.

## Kettenwechsel in vier Schritten

1. Das Kettenschloss mit der Zange öffnen.
2. Die neue Kette auf die Länge der alten kürzen.
3. Kette durch das Schaltwerk fädeln, ohne sie zu verdrehen.
4. Schließen und eine halbe Umdrehung rückwärts treten.

> Billige Ketten, häufig gewechselt, schonen die teuren Teile. Das wissen alle Fahrradkuriere.

### Wie lange hält was?

| Bauteil | Laufleistung | Preis |
| --- | ---: | ---: |
| Kette, neunfach | 3 000 km | 18 € |
| Ritzelpaket | 9 000 km | 35 € |
| Kettenblätter aus Stahl | 20 000 km | 48 € |

Die Straßenverkehrszulassungsordnung verlangt übrigens zwei voneinander unabhängige Bremsen; eine [Kettenschutzblechbefestigungsschraube](/werkzeug/schrauben) verlangt sie nicht. Größere Übersetzungsverhältnisänderungen brauchen aber eine längere Kette.

![Ein Radweg zwischen Feldern](radweg.jpg)

## Häufige Fragen

### Wie oft soll ich ölen?

Nach jeder Fahrt im Regen, sonst alle 200 Kilometer. Überschüssiges Öl wischt man ab[^1].

### Hilft Wachs?

Ja, wenn die Kette vorher vollkommen entfettet wurde.

[^1]: Mit einem alten Baumwolltuch, nicht mit Küchenpapier.
`
}

export const BREAD: PostSource = {
  id: 'roggenbrot',
  half: 'held-out',
  locale: 'de',
  title: 'Roggenvollkornbrot für Vielbeschäftigte',
  metaDescription:
    'Ohne Kneten und fast ohne Uhr: ein Roggenvollkornbrot, dessen Sauerteig auch Verspätungen verzeiht.',
  category: 'Backen',
  tags: ['Brot', 'Sauerteig'],
  author: 'Änne Grünwald',
  publishedAt: '2026-02-05T05:30:00.000Z',
  translationKey: 'bread',
  pictures: [
    { file: 'brot.jpg', kind: 'still-life', alt: 'Ein dunkles Brot auf einem Holzbrett', width: 1400, height: 934 },
    { file: 'muehle.jpg', kind: 'portrait', alt: 'Eine Müllerin vor ihrer Windmühle', width: 800, height: 1000 }
  ],
  markdown: `Roggen hat wenig Gluten, also gibt es nichts zu kneten. Die **Sauerteigtriebfähigkeit** reicht auch nach einer Nacht im Kühlschrank, und die *Teigoberflächenbeschaffenheit* verrät, wann das Brot in den Ofen will.

![Ein dunkles Brot auf einem Holzbrett](brot.jpg)

## Zutaten

* 350 g Roggenvollkornmehl
* 300 g Wasser mit 30 °C
* 120 g [Anstellgut](/grundlagen/anstellgut)
* 8 g Salz

## Zubereitung

1. Alles mit einem Löffel verrühren, bis kein trockenes Mehl mehr zu sehen ist.
2. Vier Stunden zugedeckt gehen lassen, in einer kühlen Küche acht.
3. In eine gefettete Kastenform füllen und mit nasser Hand glatt streichen.
4. Fünfzehn Minuten bei 240 °C, dann vierzig bei 190 °C backen.

> Brot ist geduldig. Nur wer es zu früh anschneidet, wird mit klebriger Krume bestraft.

### Backofentemperaturumrechnung

| Ober-/Unterhitze | Umluft | Gasherdreglerstufe |
| ---: | ---: | :-: |
| 190 °C | 170 °C | 2 bis 3 |
| 220 °C | 200 °C | 4 |
| 240 °C | 220 °C | 5 |

Die Lebensmittelkennzeichnungsdurchführungsverordnung gilt nicht für die eigene Küche. Wer das Brot auf dem Wochenmarkt verkaufen will, findet Näheres beim [Handwerkskammerberatungsdienst](https://kammer.example/beratung).

![Eine Müllerin vor ihrer Windmühle](muehle.jpg)

## Fragen und Antworten

### Warum ist die Krume feucht?

Weil Roggenstärke etwa zwanzig Stunden braucht, um das Wasser zu binden[^1].

### Kann man es einfrieren?

Ja, am besten in Scheiben und gut verpackt.

[^1]: Deshalb schmeckt es am zweiten Tag am besten.
`
}
