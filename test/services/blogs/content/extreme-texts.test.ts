import { testExtremeTexts } from './extreme-texts.ts'

// test/stress/extreme-texts.stress.test.ts uses the texts at their full size.
testExtremeTexts(0.1)
