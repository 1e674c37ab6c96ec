import { readFile } from 'node:fs/promises'
import path from 'node:path'
import vm from 'node:vm'
import t from 'tap'
import ts from 'typescript'
import { createBundle, PAGE_MODULES } from '../../../ports/browser/playwright/child/isolated-world.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../../ports/browser/playwright/child/page')
const fileOf = (name: string): string => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`

t.test('the names of the page functions are unique across the modules', async (t) => {
  const names = Object.values(PAGE_MODULES).flatMap((one) => Object.keys(one))
  t.same(
    names.filter((name, index) => names.indexOf(name) !== index),
    []
  )
  t.ok(names.length > 90, `${names.length} functions`)
  for (const [name, one] of Object.entries(PAGE_MODULES)) {
    for (const [key, value] of Object.entries(one)) t.type(value, 'function', `${name}.${key} is a function`)
  }
})

t.test('page modules contain nothing but exported functions, types and imports of each other', async (t) => {
  const modules = Object.keys(PAGE_MODULES).map(fileOf)
  for (const file of modules) {
    const source = ts.createSourceFile(file, await readFile(path.join(FOLDER, file), 'utf8'), ts.ScriptTarget.Latest)
    const wrong = source.statements.filter((statement) => !isAllowed(statement, source, modules))
    t.same(
      wrong.map((statement) => statement.getText(source).slice(0, 80)),
      [],
      file
    )
  }
})

/** The bundle contains exported functions only. A variable or a library would be missing in the page. */
function isAllowed(statement: ts.Statement, source: ts.SourceFile, modules: readonly string[]): boolean {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return true
  if (ts.isImportDeclaration(statement)) {
    const isType = statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return isType || modules.includes((statement.moduleSpecifier as ts.StringLiteral).text.replace('./', ''))
  }
  const isExported = ts.canHaveModifiers(statement)
    ? (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    : false
  if (ts.isFunctionDeclaration(statement)) return isExported
  if (!ts.isVariableStatement(statement)) return false
  return (
    isExported &&
    statement.declarationList.declarations.every(
      ({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer)
    )
  )
}

t.test('the bundle defines every function once and is valid JavaScript', async (t) => {
  const world = vm.createContext({}) as Record<string, unknown>
  vm.runInContext(createBundle(), world)
  const functions = world.visualCheckFunctions as Record<string, unknown>
  const names = Object.values(PAGE_MODULES).flatMap((one) => Object.keys(one))
  t.same(Object.keys(functions).sort(), names.sort())
  t.equal((functions.compactText as (text: string) => string)('A “cup”  of tea'), "a'cup'oftea")
})

t.test('a name that two modules define is an error', async (t) => {
  t.throws(() => createBundle({ one: { same: () => 1 }, two: { same: () => 2 } }), /same/)
})
