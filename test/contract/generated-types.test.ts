/**
 * What tools of others make of docs/openapi.json and of the Python client: right operations fit the types, wrong ones
 * do not. Installs the tools, and is skipped where npm reaches no registry.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENT = join(ROOT, 'docs/openapi.json')
const TOOLS = ['openapi-typescript@7', 'typescript@5', 'pyright@1']
const TIMEOUT_MS = 180_000

const USE_TS = `import type { components } from './api.d.ts'

type Operation = components['schemas']['Operation']
const phone = 491701234500

export const simplest: Operation = { type: 'sms', phone, sms_message: 'Hello' }
export const chain: Operation = { type: 'rcs+sms', phone, rcs_signature: 'Shop', rcs_message: 'Hi', sms_message: 'Hi' }
export const other: Operation = { type: 'balance' }
// @ts-expect-error no text
export const empty: Operation = { type: 'sms', phone }
// @ts-expect-error no such type
export const misspelt: Operation = { type: 'smss', phone, sms_message: 'Hello' }
// @ts-expect-error one channel twice
export const twice: Operation = { type: 'sms+sms', phone, sms_message: 'Hello' }
// @ts-expect-error a number in place of a text
export const wrong: Operation = { type: 'sms', phone, sms_message: 7 }
`

const USE_PY = `from posthorn.operations import Operation

simplest: Operation = {"type": "sms", "phone": 491701234500, "sms_message": "Hello"}
chain: Operation = {"type": "rcs+sms", "phone": 1, "rcs_signature": "Shop", "rcs_message": "Hi", "sms_message": "Hi"}
other: Operation = {"type": "balance"}
empty: Operation = {"type": "sms", "phone": 491701234500}
misspelt: Operation = {"type": "smss", "phone": 491701234500, "sms_message": "Hello"}
twice: Operation = {"type": "sms+sms", "phone": 491701234500, "sms_message": "Hello"}
wrong: Operation = {"type": "sms", "phone": 491701234500, "sms_message": 7}
`
const FIRST_WRONG_LINE = 6

const LINT = `import { createConfig, lint } from '@redocly/openapi-core'
const config = await createConfig({ extends: ['recommended'] })
const problems = await lint({ ref: process.argv[2], config })
console.log(JSON.stringify(problems.map(({ severity, ruleId, message }) => [severity, ruleId, message])))
`

const folder = mkdtempSync(join(tmpdir(), 'posthorn-types-'))
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
const installed = spawnSync('npm', ['install', ...options, ...TOOLS], { cwd: folder, timeout: TIMEOUT_MS }).status === 0
if (!installed) console.warn('npm cannot install the tools; the tests of generated types are skipped')

const run = (name: string, ...words: readonly string[]) =>
  spawnSync(join(folder, 'node_modules/.bin', name), words, { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS })

describe.skipIf(!installed)('with tools of others', { timeout: TIMEOUT_MS }, () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'use.ts'), USE_TS)
    writeFileSync(join(folder, 'use.py'), USE_PY)
    writeFileSync(join(folder, 'lint.mjs'), LINT)
    const python = { include: ['use.py'], extraPaths: [join(ROOT, 'clients/python/src')], pythonVersion: '3.11' }
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(python))
  })

  test('openapi-typescript makes types that take right operations and refuse wrong ones', () => {
    expect(run('openapi-typescript', DOCUMENT, '-o', 'api.d.ts')).toMatchObject({ status: 0 })
    const checks = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
    expect(run('tsc', ...checks, 'use.ts')).toMatchObject({ status: 0, stdout: '' })
  })

  test('pyright takes right operations and refuses wrong ones', () => {
    const { generalDiagnostics } = JSON.parse(run('pyright', '--outputjson').stdout) as {
      readonly generalDiagnostics: readonly { readonly range: { readonly start: { readonly line: number } } }[]
    }
    const lines = new Set(generalDiagnostics.map(({ range }) => range.start.line + 1))
    expect([...lines].sort()).toEqual([0, 1, 2, 3].map((each) => FIRST_WRONG_LINE + each))
  })

  test('the recommended rules of Redocly find no error', () => {
    const words = [join(folder, 'lint.mjs'), DOCUMENT]
    const problems = JSON.parse(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }))
    expect(problems.filter(([severity]: readonly string[]) => severity === 'error')).toEqual([])
    // Answers of the specification are always 200.
    expect(new Set(problems.map(([, rule]: readonly string[]) => rule))).toEqual(new Set(['operation-4xx-response']))
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
