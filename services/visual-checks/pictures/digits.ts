/**
 * The digits as strokes in a field of 6 × 10, so that a machine without fonts numbers its pictures
 * as well.
 */
const STROKES = [
  'M3 0C.9 0 0 2.2 0 5S.9 10 3 10 6 7.8 6 5 5.1 0 3 0Z',
  'M.8 2.2 3.6 0V10',
  'M.2 2.7C.2 1.1 1.4 0 3 0S5.8 1.1 5.8 2.7C5.8 5.2.2 7 .2 10H6',
  'M.3 1.2C1 .4 2 0 3 0 4.6 0 5.6 1 5.6 2.4 5.6 4 4.4 4.8 2.4 4.8 4.6 4.8 6 5.8 6 7.4 6 9 4.8 10 3 10 1.8 10 .7 9.6 0 8.7',
  'M4.5 10V0L0 7H6',
  'M5.5 0H1L.6 4.6C1.2 4 2 3.7 2.9 3.7 4.8 3.7 6 5 6 6.8 6 8.8 4.7 10 2.8 10 1.6 10 .6 9.5 0 8.7',
  'M5.2.6C4.6.2 4 0 3.3 0 1.2 0 0 2.2 0 5.6 0 8.4 1.1 10 3 10 4.8 10 6 8.7 6 6.9 6 5.1 4.8 3.9 3.1 3.9 1.6 3.9.4 4.9 0 6.4',
  'M0 0H6L2.2 10',
  'M3 4.7C1.5 4.7.5 3.7.5 2.4.5 1 1.5 0 3 0S5.5 1 5.5 2.4C5.5 3.7 4.5 4.7 3 4.7ZM3 4.7C1.2 4.7 0 5.8 0 7.3 0 8.9 1.2 10 3 10S6 8.9 6 7.3C6 5.8 4.8 4.7 3 4.7Z',
  'M.8 9.4C1.4 9.8 2 10 2.7 10 4.8 10 6 7.8 6 4.4 6 1.6 4.9 0 3 0 1.2 0 0 1.3 0 3.1 0 4.9 1.2 6.1 2.9 6.1 4.4 6.1 5.6 5.1 6 3.6'
]

/** From the left edge of a digit to that of the next. */
export const DIGIT_STEP = 8.4
export const DIGIT_HEIGHT = 10

/** How wide a number is. */
export const widthOfNumber = (number: number): number => String(number).length * DIGIT_STEP - (DIGIT_STEP - 6)

/** A whole number from 0 as SVG in white, 10 high, its top left corner at 0, 0. */
export function numberAsPaths(number: number): string {
  const paths = [...String(number)].map(
    (digit, place) =>
      `<path transform="translate(${(place * DIGIT_STEP).toFixed(1)} 0)" d="${STROKES[Number(digit)] ?? ''}"/>`
  )
  return `<g fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`
}
