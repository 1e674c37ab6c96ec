import { testCases } from '../../fixtures/visual-check/page-cases/test-cases.ts'

await testCases('roles')
