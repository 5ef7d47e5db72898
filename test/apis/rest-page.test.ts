/** docs/guides/rest.md is true: a shell with nothing but curl sends, follows and verifies with its commands alone. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SandboxWorld } from '../support/sandbox-world.ts'

const PAGE = readFileSync(new URL('../../docs/guides/rest.md', import.meta.url), 'utf8')
const [sending = '', following = '', reading = '', verifying = ''] = blocksOf('sh')
const run = promisify(execFile)

let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
})
afterAll(() => world.stop())

function blocksOf(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block)
}

/** Each command begins with curl; the settings before the first one are those of the world. */
function commandsOf(block: string): readonly string[] {
  return block.split(/^(?=curl )/m).filter((command) => command.startsWith('curl '))
}

async function shell(
  command: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const script = Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), command)
  const env = { ...process.env, POSTHORN_URL: world.gateway.address, POSTHORN_KEY: world.key }
  return JSON.parse((await run('sh', ['-c', script], { env })).stdout)
}

test('sends a message once, follows it, and reads events and the balance', async () => {
  const [send = ''] = commandsOf(sending)
  const sent = await shell(send)
  expect(Object.keys(sent)).toEqual(Object.keys(JSON.parse(blocksOf('json')[0] ?? '')))
  expect(await shell(send)).toEqual(sent)
  await world.pass(5)
  const [look = '', cancel = ''] = commandsOf(following).map((command) => command.replace('65', String(sent['msg_id'])))
  expect(await shell(look)).toMatchObject({ msg_id: sent['msg_id'], status: 'DELIVERED' })
  expect(await shell(cancel)).toMatchObject({ status: 409, code: 'too_late' })
  const [events = '', balance = ''] = commandsOf(reading)
  expect(await shell(events)).toMatchObject({ events: [], more: false })
  expect(await shell(balance)).toMatchObject({ currency: 'EUR' })
})

test('verifies a phone number', async () => {
  const [start = '', check = ''] = commandsOf(verifying)
  const { verify_id: id } = await shell(start)
  await world.pass(5)
  const code = /\d{6}/.exec(world.box.traffic.to('491701234500').at(-1)?.text ?? '')?.[0] ?? ''
  expect(await shell(check, { '/66/': `/${String(id)}/`, '482913': code })).toMatchObject({ status: 'approved' })
})

test('shows a problem as it comes', async () => {
  const [send = ''] = commandsOf(sending)
  const shown = blocksOf('json')[1] ?? ''
  expect(await shell(send, { '491701234500': '49', 'order-17-paid': 'order-18' })).toEqual(JSON.parse(shown))
})
