/** docs/guides/logins.md is true: its command sends a code, and so do its templates and snippets. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildLogin, LOGIN_PASSWORD } from '../support/build-message.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { eventually } from '../support/eventually.ts'

const PAGE = readFileSync(new URL('../../docs/guides/logins.md', import.meta.url), 'utf8')
const ADDRESS = 'https://posthorn.example'
const TEXT = 'Your code is 482913.'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench({ apis: ['rest', 'logins'] })
  const login = buildLogin({ accountId: bench.accountId, name: 'web', sender: 'SMSTest' })
  await bench.change({ kind: 'set client login', login })
})
afterEach(() => bench.stop())

/** Returns the blocks of a language, with a sender that the account has. */
function blocksOf(language: string): readonly string[] {
  const blocks = PAGE.matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))
  return [...blocks].map(([, block = '']) => block.replace(/(["'])Shop\1/g, '"SMSTest"'))
}
const [nhost = '', keycloak = ''] = blocksOf('json')
const [auth0 = '', betterAuth = ''] = blocksOf('js')

const sent = () =>
  bench.outbox.taken.map(({ phone, plan: [step] }) => [phone, step?.content.kind === 'text' && step.content.text])
const ONE = [['491701234500', TEXT]]

async function post(body: string): Promise<number> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
  return (await fetch(`${bench.address}/v1/messages`, { method: 'POST', headers, body })).status
}

/** Sends a request of a snippet to the gateway of the test. */
const forwarded = (url: string, init: RequestInit) => fetch(url.replace(ADDRESS, bench.address), init)

test('the command sends a code', async () => {
  const command = blocksOf('sh').find((block) => block.startsWith('curl ')) ?? ''
  const script = command.replace(ADDRESS, bench.address).replace('<PASSWORD>', LOGIN_PASSWORD)
  expect((await promisify(execFile)('sh', ['-c', script])).stdout).toBe('{}')
  expect(sent()).toEqual(ONE)
})

test('the template of nhost sends', async () => {
  expect(await post(nhost.replace(/\$\{(to|body)\}/g, (_, name) => (name === 'to' ? '+491701234500' : TEXT)))).toBe(201)
  expect(sent()).toEqual(ONE)
})

test('the template of Keycloak sends', async () => {
  const values = ['+491701234500', TEXT]
  expect(await post(keycloak.replaceAll('%s', () => values.shift() ?? ''))).toBe(201)
  expect(sent()).toEqual(ONE)
})

test('the template of Ory Kratos sends', async () => {
  const [template = ''] = blocksOf('jsonnet')
  const names: Readonly<Record<string, string>> = { recipient: '+491701234500', body: TEXT }
  // A Jsonnet function of one object, whose members are JSON but for their names and values.
  const object = template
    .slice(template.indexOf('{'))
    .replace(/^ {2}(\w+):/gm, '"$1":')
    .replace(/ctx\.(\w+)/g, (_, name: string) => JSON.stringify(names[name]))
    .replace(/,\s*\}/, '}')
  expect(await post(object)).toBe(201)
  expect(sent()).toEqual(ONE)
})

test('the Action of Auth0 sends once, and reports what fails', async () => {
  const exports: { onExecuteCustomPhoneProvider?: (event: object, api: object) => Promise<void> } = {}
  runInNewContext(auth0, { exports, fetch: forwarded })
  const failures: string[] = []
  const notification = {
    retry: (why: string) => failures.push(`retry ${why}`),
    drop: (why: string) => failures.push(why),
  }
  const act = (recipient: string) =>
    exports.onExecuteCustomPhoneProvider?.(
      { notification: { recipient, code: '482913', as_text: TEXT }, secrets: { POSTHORN_KEY: KEY } },
      { notification },
    )
  await act('+491701234500')
  await act('+491701234500')
  expect(sent()).toEqual(ONE)
  await act('+12')
  expect(failures).toEqual(['Posthorn: Invalid phone number'])
})

test('the callback of Better Auth sends', async () => {
  const context: { sendOTP?: (call: object) => void } & Record<string, unknown> = {
    fetch: forwarded,
    process: { env: { POSTHORN_KEY: KEY } },
    console,
  }
  runInNewContext(betterAuth.replace('export function', 'function'), context)
  context.sendOTP?.({ phoneNumber: '+491701234500', code: '482913' })
  await eventually('the message', () => sent().length === 1)
  expect(sent()).toEqual(ONE)
})
