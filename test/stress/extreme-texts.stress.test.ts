import { testExtremeTexts } from '../services/blogs/content/extreme-texts.ts'

testExtremeTexts(1)
