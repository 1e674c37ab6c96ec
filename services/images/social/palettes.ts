/**
 * Colors of a card: the ground, what is written on it, and the shapes, from the quietest to the
 * loudest.
 */
export interface Palette {
  ground: string
  ink: string
  quiet: string
  shapes: [string, string, string, string]
}

/**
 * Ink on ground has a contrast of at least 7 to 1 (WCAG 2.2, 1.4.6), `quiet` of at least 4.5 to 1.
 */
export const PALETTES: Palette[] = [
  { ground: '#f6f1e7', ink: '#1f2a37', quiet: '#5b6472', shapes: ['#e4d8c3', '#7fa99b', '#2f5d62', '#e07a5f'] },
  { ground: '#10243e', ink: '#f4f7fb', quiet: '#a9b9cf', shapes: ['#1c3a5e', '#2f6690', '#81c3d7', '#f2b84b'] },
  { ground: '#eef3f1', ink: '#16302b', quiet: '#4c645e', shapes: ['#d5e2dc', '#8fb9a8', '#3c7a68', '#f1828d'] },
  { ground: '#241e3c', ink: '#f7f4ff', quiet: '#b9b0d6', shapes: ['#383059', '#5b4b8a', '#a594d8', '#ff9f6b'] },
  { ground: '#fbf3ee', ink: '#3a1f1d', quiet: '#76534c', shapes: ['#f3ddd0', '#e5a98c', '#b5533c', '#2e5266'] },
  { ground: '#f1f4fa', ink: '#1b2559', quiet: '#55608a', shapes: ['#dbe3f4', '#9fb4e3', '#4361ee', '#f6a04d'] },
  { ground: '#13302c', ink: '#f2faf6', quiet: '#a8c8bd', shapes: ['#1e4740', '#2f7367', '#8fd0b5', '#f4d35e'] },
  { ground: '#faf6fb', ink: '#33193f', quiet: '#6b5275', shapes: ['#eadff0', '#c3a4d6', '#7b4b94', '#f3a712'] }
]
