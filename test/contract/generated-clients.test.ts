/**
 * What generators of others make of docs/rest-openapi.json: clients that compile and send to a gateway. Installs them,
 * and is skipped where npm reaches no registry.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'

const DOCUMENT = join(import.meta.dirname, '../../docs/rest-openapi.json')
const TOOLS = [
  'openapi-typescript@7',
  'openapi-fetch@0',
  '@hey-api/openapi-ts@0',
  '@redocly/openapi-core@1',
  'typescript@5',
]
const TIMEOUT_MS = 180_000

const PROCESS = 'declare const process: { readonly argv: readonly string[] }\n'

const USE_FETCH = `import createClient from 'openapi-fetch'
import type { paths } from './api.js'
${PROCESS}
const headers = { Authorization: \`Bearer \${process.argv[3]}\` }
const client = createClient<paths>({ baseUrl: process.argv[2] ?? '', headers })
const sms = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' } as const
const sent = await client.POST('/v1/messages', { body: { ...sms, phone: 491701234500 } })
if (sent.data === undefined) throw new Error(sent.error.detail)
const path = { id: sent.data.msg_id }
const found = await client.GET('/v1/messages/{id}', { params: { path } })
const phone: number | null | undefined = found.data?.phone
const wrong = await client.POST('/v1/messages', { body: { ...sms, phone: 1 } })
const balance = await client.GET('/v1/balance')
// @ts-expect-error no text
client.POST('/v1/messages', { body: { type: 'sms', phone: 1 } }).catch(() => {})
console.log(JSON.stringify([sent.response.status, phone, wrong.error?.code, balance.data?.currency]))
`

const USE_HEY = `import { client } from './hey/client.gen.js'
import { getBalance, getMessage, sendMessage } from './hey/sdk.gen.js'
${PROCESS}
client.setConfig({ baseUrl: process.argv[2] ?? '', auth: () => process.argv[3] ?? '' })
const sms = { type: 'sms', sms_signature: 'SMSTest', sms_message: 'Hello' } as const
const sent = await sendMessage({ body: { ...sms, phone: 491701234500 } })
if (sent.data === undefined) throw new Error(sent.error.detail)
const found = await getMessage({ path: { id: sent.data.msg_id } })
const phone: number | null | undefined = found.data?.phone
const wrong = await sendMessage({ body: { ...sms, phone: 1 } })
const balance = await getBalance()
console.log(JSON.stringify([sent.response?.status, phone, wrong.error?.code, balance.data?.currency]))
`

const LINT = `import { createConfig, lint } from '@redocly/openapi-core'
const config = await createConfig({ extends: ['recommended'] })
const problems = await lint({ ref: process.argv[2], config })
console.log(JSON.stringify(problems.map(({ severity, ruleId, message }) => [severity, ruleId, message])))
`

const CONFIG = {
  compilerOptions: {
    ...{ strict: true, skipLibCheck: true, module: 'nodenext', target: 'es2023' },
    ...{ lib: ['es2023', 'dom', 'dom.iterable'], types: [], outDir: 'out' },
  },
  files: ['use-fetch.ts', 'use-hey.ts'],
}

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"private":true,"type":"module"}',
  'tsconfig.json': JSON.stringify(CONFIG),
  'use-fetch.ts': USE_FETCH,
  'use-hey.ts': USE_HEY,
  'lint.mjs': LINT,
}

const folder = mkdtempSync(join(tmpdir(), 'posthorn-clients-'))
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts']
const installed = spawnSync('npm', ['install', ...options, ...TOOLS], { cwd: folder, timeout: TIMEOUT_MS }).status === 0
if (!installed) console.warn('npm cannot install the generators; the tests of generated clients are skipped')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = promisify(execFile)

/** Runs a script with the Node of the tests. */
async function node(script: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, script), ...words], { cwd: folder, timeout: TIMEOUT_MS })
  return stdout
}

describe.skipIf(!installed)('with generators of others', { timeout: TIMEOUT_MS }, () => {
  let bench: ClientBench
  beforeAll(async () => {
    bench = await startClientBench()
    await node('node_modules/.bin/openapi-typescript', DOCUMENT, '-o', 'api.d.ts')
    await node('node_modules/.bin/openapi-ts', '-i', DOCUMENT, '-o', 'hey', '-c', '@hey-api/client-fetch')
    await node('node_modules/.bin/tsc', '-p', '.')
  }, TIMEOUT_MS)
  afterAll(() => bench.stop())

  test.each([
    ['openapi-typescript', 'out/use-fetch.js'],
    ['@hey-api/openapi-ts', 'out/use-hey.js'],
  ])('a client made by %s sends, reads and gets problems', async (_, program) => {
    const answers = [201, 491701234500, 'invalid_phone', 'EUR']
    expect(JSON.parse(await node(program, bench.address, KEY))).toEqual(answers)
  })

  test('the recommended rules of Redocly find nothing', async () => {
    expect(JSON.parse(await node('lint.mjs', DOCUMENT))).toEqual([])
  })
})
