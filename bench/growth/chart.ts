import sharp from 'sharp'

export interface Curve {
  name: string
  /** Values by size, both above 0. */
  points: { size: number; value: number }[]
}

const WIDTH = 1200
const HEIGHT = 760
const PLOT = { left: 80, top: 50, right: 860, bottom: 690 }
const COLORS = [
  '#1f6feb',
  '#d1242f',
  '#1a7f37',
  '#9a6700',
  '#8250df',
  '#0a7ea4',
  '#bf3989',
  '#57606a',
  '#e16f24',
  '#116329',
  '#24292f',
  '#e85aad',
  '#6e7781',
  '#bc4c00'
]

const escape = (text: string): string => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

/** Draws curves with logarithmic axes, where a straight rising line is growth by a power of the size. Returns a PNG. */
export async function drawChart({
  title,
  unit,
  curves
}: {
  title: string
  unit: string
  curves: Curve[]
}): Promise<Buffer> {
  const points = curves.flatMap((curve) => curve.points)
  const exponents = (values: number[]): [number, number] => {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
    return [low, Math.max(high, low + 1)]
  }
  const [minX, maxX] = exponents(points.map(({ size }) => size))
  const [minY, maxY] = exponents(points.map(({ value }) => value))
  const x = (size: number): number => PLOT.left + ((Math.log10(size) - minX) / (maxX - minX)) * (PLOT.right - PLOT.left)
  const y = (value: number): number =>
    PLOT.bottom - ((Math.log10(value) - minY) / (maxY - minY)) * (PLOT.bottom - PLOT.top)
  const toPath = ({ points }: Curve): string =>
    points.map(({ size, value }) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const text = (at: [number, number], content: string, attributes = ''): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${attributes}>${escape(content)}</text>`
  const line = (from: [number, number], to: [number, number]): string =>
    `<line x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}" stroke="#d0d7de"/>`

  const grid: string[] = []
  for (let exponent = minX; exponent <= maxX; exponent++) {
    const at = x(10 ** exponent)
    grid.push(line([at, PLOT.top], [at, PLOT.bottom]))
    grid.push(text([at, PLOT.bottom + 24], (10 ** exponent).toLocaleString('en-US'), 'text-anchor="middle"'))
  }
  for (let exponent = minY; exponent <= maxY; exponent++) {
    const at = y(10 ** exponent)
    grid.push(line([PLOT.left, at], [PLOT.right, at]))
    grid.push(text([PLOT.left - 10, at + 5], String(Number((10 ** exponent).toPrecision(1))), 'text-anchor="end"'))
  }
  // Labels stand at the ends of the curves, moved apart where they would overlap.
  const labels = curves
    .map((curve, index) => ({ curve, color: COLORS[index % COLORS.length]!, y: y(curve.points.at(-1)!.value) + 5 }))
    .sort((a, b) => a.y - b.y)
  for (let i = 1; i < labels.length; i++) labels[i]!.y = Math.max(labels[i]!.y, labels[i - 1]!.y + 20)
  const drawn = labels.flatMap(({ curve, color, y: labelY }) => [
    `<polyline points="${toPath(curve)}" ` + `fill="none" stroke="${color}" stroke-width="2.5"/>`,
    ...curve.points.map((point) => `<circle cx="${x(point.size)}" cy="${y(point.value)}" r="4" fill="${color}"/>`),
    text([PLOT.right + 14, labelY], curve.name, `fill="${color}"`)
  ])
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="DejaVu Sans, sans-serif" ` +
    `font-size="15"><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${drawn.join('')}` +
    text([PLOT.left, 30], `${title} (${unit})`, 'font-size="19" font-weight="bold"') +
    text(
      [(PLOT.left + PLOT.right) / 2, PLOT.bottom + 54],
      'posts and products of the account',
      'text-anchor="middle"'
    ) +
    '</svg>'
  return await sharp(Buffer.from(svg)).png().toBuffer()
}
