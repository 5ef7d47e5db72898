/** `posthorn serve` and `posthorn sandbox` as processes: they start, are changed while they run, and stop cleanly. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'
import { eventually, settled } from '../support/eventually.ts'

const QUIET = ['--admin-port', '0', '--json', '--log-level', 'silent']

let line: CommandLine
let programs: ChildProgram[]

beforeEach(() => {
  line = new CommandLine()
  programs = []
})
afterEach(() => {
  for (const program of programs) program.end()
  line.close()
})

function start(words: readonly string[]): ChildProgram {
  const program = new ChildProgram([...words, ...QUIET], { POSTHORN_DATA_DIR: line.dataDir })
  programs.push(program)
  return program
}

async function askBalance(address: string, key: unknown): Promise<unknown> {
  const response = await fetch(`${address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: key, data: [{ type: 'balance' }] }),
  })
  return response.json()
}

test('the sandbox prints the JSON document that its page shows', async () => {
  const page = readFileSync(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n(\s*\{\s*"address"[\s\S]*?)```/.exec(page) ?? []
  const answer = await start(['sandbox', '--port', '0']).firstAnswer()
  expect(Object.keys(answer)).toEqual(Object.keys(JSON.parse(example)))
})

test('a second sandbox on the same folder is refused, and changes nothing of the first', async () => {
  const first = start(['sandbox', '--port', '0'])
  const { address } = await first.firstAnswer()
  const before = await line.directory()
  const second = start(['sandbox', '--port', '0'])
  expect(await second.ended()).toBe(1)
  expect(second.err).toMatch(/^error: another gateway runs on [^\n]+: stop it first, or use another data folder\n$/)
  expect(await line.directory()).toEqual(before)
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('serve starts on a new installation, takes over what commands change beside it, and stops at SIGTERM', async () => {
  await line.init()
  const gateway = start(['serve', '--port', '0'])
  const { address, admin_address: admin } = await gateway.firstAnswer()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  expect((await fetch(`${admin}/readyz`)).status).toBe(200)
  expect((await line.directory()).accounts).toEqual([])

  await line.ask(['account', 'create', '--name', 'Shop'])
  await line.ask(['account', 'top-up', '--account', '1', '--amount', '3'])
  const { key } = await line.ask(['key', 'issue', '--account', '1', '--name', 'server'])
  await eventually('the gateway to know the new key', async () => {
    const answer = (await askBalance(String(address), key)) as { success: boolean; data: readonly unknown[] }
    if (answer.success) expect(answer.data).toMatchObject([{ data: { amount: 3, currency: 'EUR' } }])
    return answer.success
  })

  const second = start(['serve', '--port', '0'])
  expect(await second.ended()).toBe(1)
  expect(second.err).toMatch(/^error: [^\n]+\n$/)

  gateway.signal('SIGTERM')
  expect(await gateway.ended()).toBe(0)
  expect(gateway.err).toBe('')
})

test('a gateway that cannot start says why in one sentence and ends', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const crowded = start(['serve', '--port', String(port)])
  const foreignKey = line.path('foreign.key')
  writeFileSync(foreignKey, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  expect(await crowded.ended()).toBe(1)
  expect(crowded.err).toMatch(/^error: 127\.0\.0\.1:\d+: another process listens on this port; [^\n]+\n$/)
  const locked = start(['serve', '--port', '0', '--secret-key-file', foreignKey])
  expect(await locked.ended()).toBe(1)
  expect(locked.err).toMatch(/^error: [^\n]+ is not in [^\n]+\n$/)
  other.close()
})

test('a stopping gateway reports not ready for a while, and still takes requests', async () => {
  await line.init()
  const [printed, stopped] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  line.onPrinted = printed.resolve
  line.stopped = stopped.promise
  const running = line.run(['serve', '--port', '0', '--stop-notice-seconds', '3', ...QUIET])
  const { address, admin_address } = JSON.parse(await printed.promise) as Record<string, string>
  expect((await fetch(`${admin_address}/readyz`)).status).toBe(200)
  stopped.resolve()
  await eventually('it to be ready no more', async () => (await fetch(`${admin_address}/readyz`)).status === 503)
  const answer = await fetch(`${address}/api/json.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"auth":"unknown","data":[]}',
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('connection')).toBe('close')
  line.clock.advance(3_000)
  expect((await running).exitCode).toBe(0)
})

test('a request that never arrives whole does not hold up a gateway that stops', async () => {
  await line.init()
  const [printed, stopped] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  line.onPrinted = printed.resolve
  line.stopped = stopped.promise
  const running = line.run(['serve', '--port', '0', ...QUIET])
  const { address } = JSON.parse(await printed.promise) as { address: string }
  const stalled = connect(Number(new URL(address).port), '127.0.0.1')
  stalled.write('GET /healthz HTTP/1.1\r\nHost: shop\r\n')
  await once(stalled, 'connect')
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  const closed = once(stalled, 'close')
  stalled.resume()
  stopped.resolve()
  // From then on the clock stands still: closing everything else takes real time and no more.
  await settled('the stalled connection to be closed', closed, line.clock)
  const { exitCode, err } = await running
  expect([exitCode, err]).toEqual([0, ''])
})

test('the sandbox refuses the folder of a real installation, and changes nothing in it', async () => {
  await line.ask(['account', 'create', '--name', 'Shop'])
  const before = await line.directory()
  const sandbox = start(['sandbox', '--port', '0'])
  expect(await sandbox.ended()).toBe(1)
  expect(sandbox.err).toMatch(/^error: [^\n]+ has an installation that is not a sandbox: [^\n]+--data-dir\n$/)
  expect(await line.directory()).toEqual(before)
})

test('the line that the sandbox prints sends a message, and SIGINT stops it', async () => {
  const sandbox = start(['sandbox', '--port', '0'])
  const { curl = '', address, key } = await sandbox.firstAnswer()
  const words = splitWords(curl)
  expect(words[0]).toBe('curl')
  const url = words.find((word) => word.startsWith('http')) ?? ''
  expect(url.startsWith(String(address))).toBe(true)
  const [name = '', value = ''] = (words[words.indexOf('-H') + 1] ?? '').split(': ')
  const response = await fetch(url, {
    method: 'POST',
    headers: { [name]: value },
    body: words[words.indexOf('-d') + 1] ?? '',
  })
  const answer = (await response.json()) as { success: boolean; data: readonly { data: { msg_id: number } }[] }
  expect(answer).toMatchObject({ success: true, data: [{ success: true }] })
  expect(await askBalance(String(address), key)).toMatchObject({ success: true })

  const id = String(answer.data[0]?.data.msg_id)
  await eventually('the message to be delivered', async () => {
    if (sandbox.err !== '') throw new Error(sandbox.err)
    return (await line.ask(['trace', id]))['status'] === 'DELIVERED'
  })
  sandbox.signal('SIGINT')
  expect(await sandbox.ended()).toBe(0)
})
