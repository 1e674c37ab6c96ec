/// <reference lib="dom" />

/**
 * A picture as so many dots in each direction, on white: red, green and blue of each, 0 to 255. It
 * is run by itself in an empty page. Rejects where the bytes are no picture.
 */
export async function dotsOf({ address, dots }: { address: string; dots: number }): Promise<number[]> {
  const picture = new Image()
  picture.src = address
  await picture.decode()
  const canvas = new OffscreenCanvas(dots, dots)
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, dots, dots)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, dots, dots)
  return [...context.getImageData(0, 0, dots, dots).data].filter((_, at) => at % 4 !== 3)
}
