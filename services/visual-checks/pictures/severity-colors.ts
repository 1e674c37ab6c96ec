import type { Severity } from '../../../schemas/visual-check.ts'

/**
 * The color of each severity in pictures. White on it has a contrast of at least 4.5 to 1 (WCAG
 * 2.2, 1.4.3), for the numbers are white.
 */
export const SEVERITY_COLORS: Readonly<Record<Severity, string>> = {
  critical: '#b3001b',
  high: '#b93a00',
  medium: '#7d5a00',
  low: '#1d4ed8',
  info: '#475569'
}
