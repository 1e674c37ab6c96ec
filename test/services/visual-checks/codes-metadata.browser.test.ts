import { testCases } from '../../fixtures/visual-check/cases/test-cases.ts'

await testCases('metadata')
