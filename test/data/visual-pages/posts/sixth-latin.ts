import type { PostSource } from '../types.ts'

/** Only paragraphs, without headings, lists or pictures. */
export const ESSAY: PostSource = {
  id: 'on-waiting',
  half: 'tune',
  locale: 'en',
  title: 'On waiting for trains',
  metaDescription: 'An essay about platforms, timetables, and the hour between two trains that nobody wants.',
  category: 'Essays',
  tags: ['travel'],
  author: 'Tom Weller',
  publishedAt: '2026-02-08T06:45:00.000Z',
  pictures: [],
  markdown: `There is an hour at the junction of Harrow Fields that appears in no guidebook. The northbound train leaves at 9:14, the southbound arrives at 10:17, and between them the platform belongs to the pigeons, to a vending machine with two kinds of crisps, and to those who have misread the timetable.

I have misread it often. The first time I walked up and down and looked at the clock as if it could be persuaded. The second time I brought a book, and read four pages of it. By the fifth time I had stopped calling it a mistake.

“You again,” said the man who sells the tickets. He has a window with a small brass tray, and he pushes the change through it one coin at a time, *as if each of them had to be introduced*.

Waiting is not the absence of something. It has a temperature, which at Harrow Fields is that of a cold radiator; it has a smell of wet gravel and coffee; and it has a sound, a hum in the rails that begins **four minutes** before anything can be seen.

We ought to use such hours. There are courses one could hear and messages one could answer, and a telephone that knows eleven ways to fill sixty-three minutes. But an hour that is filled is only another hour of the rest of the week — the junction offers something else, and it is free.

Yes.

Last winter they put up a screen. It counts the minutes down and shows, in between, the weather of [a city on the coast](/places/coast) that no train from here has ever reached. People look at it and not at the hills. The man at the window says that he was asked for his opinion, and that he had none, and that they wrote this down.

When the southbound finally comes, it comes all at once: first nothing, then the hum, then a wall of windows with a face in each. I get in, and I find a seat, and I am on my way again, which is to say that I am waiting for something else.
`
}

/** A note of two paragraphs. */
export const NOTE: PostSource = {
  id: 'fermeture-estivale',
  half: 'tune',
  locale: 'fr',
  title: 'L’atelier ferme deux semaines',
  metaDescription: 'Du 3 au 17 août, l’atelier est fermé. Les commandes reprennent le 18.',
  category: 'Nouvelles',
  tags: ['atelier'],
  author: 'Élodie Garnier',
  publishedAt: '2026-07-21T10:00:00.000Z',
  pictures: [],
  markdown: `L’atelier est fermé du **3 au 17 août**. Les commandes passées avant le 31 juillet partiront encore ; les autres attendront notre retour, à l’ombre.

Écrivez-nous à [la page de contact](/contact) : nous répondrons « dès que possible », c’est-à-dire le mardi.
`
}

/** A list of places, each with a heading and a picture. */
export const WALKS: PostSource = {
  id: 'trois-promenades',
  half: 'tune',
  locale: 'fr',
  title: 'Trois promenades d’automne à moins d’une heure de la gare',
  metaDescription: 'Une forêt, un canal et un phare : trois itinéraires faciles, avec la distance et le dénivelé.',
  category: 'Balades',
  tags: ['marche', 'automne'],
  author: 'Élodie Garnier',
  publishedAt: '2026-05-30T16:20:00.000Z',
  pictures: [
    { file: 'foret.jpg', kind: 'landscape', alt: 'Un sentier sous les hêtres', width: 1200, height: 800 },
    { file: 'canal.jpg', kind: 'landscape', alt: 'Le canal au petit matin', width: 1000, height: 1000 },
    { file: 'phare.jpg', kind: 'still-life', alt: 'Le phare vu de la dune', width: 800, height: 1100 }
  ],
  markdown: `Pas besoin de voiture : chacune de ces promenades commence à un arrêt d’autocar, et finit devant un café.

## 1. La forêt de Mervent

![Un sentier sous les hêtres](foret.jpg)

*Distance :* 7 km. *Dénivelé :* 120 m.

Le chemin monte d’abord entre les hêtres, puis suit la crête jusqu’à la [tour de guet](/lieux/tour). Après la pluie, prenez plutôt la variante du nord.

## 2. Le canal de Saint-Aubin

![Le canal au petit matin](canal.jpg)

*Distance :* 11 km. *Dénivelé :* aucun.

> « On n’y rencontre que des hérons et, le dimanche, des comptables. »
>
> — Une habituée

Le chemin de halage est plat et large. À l’écluse, l’éclusière vend des pommes : comptez deux euros le kilo.

## 3. Le phare des Trois-Pierres

![Le phare vu de la dune](phare.jpg)

*Distance :* 5 km. *Dénivelé :* 40 m.

1. Descendez à l’arrêt « Dunes ».
2. Suivez les balises bleues jusqu’à la plage.
3. À marée basse, revenez par le sable.

---

**Bon à savoir :** le dernier autocar part à 18 h 40.
`
}

/** Long code, nested lists, a wide table. */
export const BACKUPS: PostSource = {
  id: 'sicherungen',
  half: 'tune',
  locale: 'de',
  title: 'Datensicherung mit Bordmitteln',
  metaDescription:
    'Drei Skripte, ein Zeitplan und eine Tabelle: So bleibt die Datensicherung überschaubar und prüfbar.',
  category: 'Technik',
  tags: ['Server', 'Sicherung'],
  author: 'Henrike Voß',
  publishedAt: '2026-04-11T12:00:00.000Z',
  pictures: [{ file: 'ablauf.jpg', kind: 'diagram', alt: 'Der Ablauf einer Sicherung', width: 1280, height: 720 }],
  markdown: `Eine Sicherung, die niemand zurückgespielt hat, ist eine Vermutung. Dieser Beitrag zeigt, wie man mit \`tar\`, \`rsync\` und einem Zeitplan auskommt.

## Was gesichert wird

- Datenbanken
  - täglich als Abzug (\`pg_dump\`)
  - stündlich das Protokoll
- Dateien
  1. zuerst die Verzeichnisse der Benutzerinnen und Benutzer,
  2. dann die der Dienste:
     - Konfiguration unter \`/etc\`
     - Zertifikate
- die Liste der installierten Pakete

## Das Skript

\`\`\`bash
#!/usr/bin/env bash
set -euo pipefail

target="/backup/$(date +%F)"
mkdir -p "$target"
pg_dump --format=custom --file="$target/shop.dump" shop
rsync --archive --delete --exclude='cache/' --link-dest=/backup/latest /srv/ "$target/srv/"
ln -sfn "$target" /backup/latest
\`\`\`

Der Aufruf kommt in eine Datei für den Zeitgeber:

\`\`\`ini
[Timer]
OnCalendar=*-*-* 03:15:00
RandomizedDelaySec=10min
Persistent=true
\`\`\`

![Der Ablauf einer Sicherung](ablauf.jpg)

## Wie lange was bleibt

| Art | Takt | Aufbewahrung | Größe | Ort | Geprüft |
| --- | --- | --- | ---: | --- | :---: |
| Datenbank | täglich | 30 Tage | 1,2 GB | Rechenzentrum A | ja |
| Protokoll | stündlich | 7 Tage | 300 MB | Rechenzentrum A | ja |
| Dateien | täglich | 90 Tage | 18 GB | Rechenzentrum B | nein |
| Archiv | monatlich | 10 Jahre | 240 GB | Schließfach | ja |

### Zurückspielen

\`\`\`sql
SELECT count(*) AS bestellungen, max(erstellt_am) AS letzte
FROM bestellung
WHERE erstellt_am > now() - interval '2 days';
\`\`\`

Stimmt die Zahl mit der vom Vortag überein, ist die Sicherung brauchbar. Sonst: **nicht löschen**, sondern ~~hoffen~~ nachsehen[^1].

[^1]: Die Meldungen stehen in \`journalctl -u sicherung\`.
`
}

/** A recipe: lists, a figure, a heading directly below a heading. */
export const SOUP: PostSource = {
  id: 'lentil-soup',
  half: 'tune',
  locale: 'en',
  title: 'Lentil soup',
  metaDescription: 'A red lentil soup for four people, ready in thirty minutes, with a table for larger pots.',
  category: 'Recipes',
  tags: ['soup', 'vegan'],
  author: 'Nadia Rahman',
  publishedAt: '2026-06-02T17:30:00.000Z',
  pictures: [
    { file: 'soup.jpg', kind: 'still-life', alt: 'A bowl of red soup with a spoon', width: 900, height: 900 },
    { file: 'spices.jpg', kind: 'still-life', alt: 'Spices in small jars', width: 1200, height: 600 }
  ],
  markdown: `![A bowl of red soup with a spoon](soup.jpg)

## Before you start

### For the soup

- 250 g red lentils
- 1 onion
- 2 carrots
- 1 l water
- salt

### For the top

- 2 tbsp oil
- 1 tsp cumin
- a lemon

## Method

1. Rinse the lentils until the water is clear.

2. Chop the onion and the carrots. Fry both for five minutes in a large pot, and stir from time to time so that nothing sticks.

   ![Spices in small jars](spices.jpg)

3. Add lentils and water, bring to a boil, and simmer for twenty minutes.

4. Blend. Season with salt.

> **Tip:** Heat the cumin in the oil and pour it over the soup at the table. It hisses.

## For more people

| People | Lentils | Water |
| :---: | :---: | :---: |
| 4 | 250 g | 1 l |
| 8 | 500 g | 1.8 l |

Keeps for three days. See also: [Flat bread](/recipes/flat-bread), [Pickled lemons](/recipes/pickled-lemons).
`
}

/** Questions and answers: many short sections. */
export const QUESTIONS: PostSource = {
  id: 'preguntas-envios',
  half: 'tune',
  locale: 'es',
  title: 'Preguntas frecuentes sobre los envíos',
  metaDescription:
    'Plazos, precios, devoluciones y seguimiento: las respuestas a lo que más nos preguntan cada semana.',
  category: 'Ayuda',
  tags: ['envíos', 'devoluciones'],
  author: 'Lucía Peña',
  publishedAt: '2026-03-03T11:15:00.000Z',
  pictures: [],
  markdown: `Si no encuentra aquí su respuesta, escríbanos a través del [formulario](/contacto). Contestamos en un día laborable.

## ¿Cuánto tarda mi pedido?

De dos a cuatro días en la península; hasta **siete** en las islas.

## ¿Cuánto cuesta?

| Destino | Hasta 5 kg | Más de 5 kg |
| --- | ---: | ---: |
| Península | 4,90 € | 7,50 € |
| Baleares | 8,90 € | 14,00 € |
| Canarias | 12,90 € | 21,00 € |

A partir de 60 € el envío es gratuito.

## ¿Puedo cambiar la dirección?

Sí, mientras el estado sea «en preparación». Después, llame al transportista.

## ¿Cómo devuelvo un artículo?

1. Solicite la etiqueta.
2. Embale el artículo en su caja original.
3. Llévelo a cualquier oficina de correos.

### ¿Quién paga la devolución?

Nosotros, si el artículo llegó defectuoso. En los demás casos:

- 3,50 € para paquetes pequeños,
- 6,00 € para los demás.

## ¿Por qué no veo el seguimiento?

El código tarda unas horas en activarse. Si mañana sigue sin funcionar, mande el número de pedido (por ejemplo \`PE-2026-0417\`) a soporte.
`
}
