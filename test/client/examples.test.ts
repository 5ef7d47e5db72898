/**
 * The clients of examples/clients, each as a process of its own, against the sandbox, whose clock follows the
 * machine's: they know no other.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'
import { eventually } from '../support/eventually.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../examples/clients/', import.meta.url))
const TICK_MS = 20
const LONGEST_MS = 25_000

let world: SandboxWorld
let ticking: NodeJS.Timeout
beforeAll(async () => {
  world = await SandboxWorld.start(LIFETIME_SECONDS, Date.now())
  ticking = setInterval(() => world.clock.turnTo(Date.now()), TICK_MS)
})
afterAll(async () => {
  clearInterval(ticking)
  await world.stop()
})

const PYTHON = findProgram('python3', 'python3', { words: ['-c', 'import http.server, urllib.request, uuid'] })
const PHP = findProgram('php', 'php-cli')

describe.each([
  ['send-chain.sh', findProgram('curl', 'curl') && findProgram('sh', 'dash', { words: ['-c', ':'] }), 'DELIVERED'],
  ['send-chain.py', PYTHON, 'DELIVERED by chatapp for 0.04 EUR'],
  ['send-chain.php', PHP, 'DELIVERED by chatapp for 0.04 EUR'],
])('%s', (file, program, end) => {
  const send = (phone: string, environment: Readonly<Record<string, string>> = {}) =>
    run(program ?? '', [FOLDER + file, phone], {
      env: { ...process.env, POSTHORN_URL: world.gateway.address, POSTHORN_KEY: world.key, ...environment },
      timeout: LONGEST_MS,
    })

  test.skipIf(program === null)('sends a chain and waits for its end', async () => {
    const phone = `491701234${file.charCodeAt(file.length - 1) % 10}01`
    const { stdout } = await send(phone, { POSTHORN_HOOK: world.sink.address })
    expect(stdout).toMatch(new RegExp(`^accepted as \\d+\\n${end}\\n$`))
    expect(world.box.traffic.to(phone).map(({ channel }) => channel)).toEqual(['chatapp'])
    const id = /\d+/.exec(stdout)?.[0]
    await eventually('the report', () => world.sink.calls.some(({ body }) => body.includes(`"msg_id":${id},`)))
  })

  test.skipIf(program === null)('says what is wrong and ends with a failure', async () => {
    for (const [phone, environment, said] of [
      ['4917012345', { POSTHORN_KEY: 'wrong' }, 'Access denied'],
      ['12', {}, 'Invalid phone number'],
      ['4917012345', { POSTHORN_URL: `${world.gateway.address}/other` }, /404|Not found/],
    ] as const) {
      await expect(send(phone, environment)).rejects.toMatchObject({ stderr: expect.stringMatching(said) })
    }
  })
})

describe.each([
  ['receive-reports.py', PYTHON, startPython],
  ['receive-reports.php', PHP, startPhp],
])('%s', (_, program, start) => {
  test.skipIf(program === null)('believes what the gateway signed, and nothing else', async () => {
    const receiver = await start(program ?? '')
    try {
      const { address, said } = receiver
      const send = { phone: 491701234506, rcs_signature: 'RCSTest', rcs_message: 'Your parcel is here.', hook: address }
      const id = await world.sendOne({ type: 'rcs', id: 2 ** 53, ...send })
      await eventually('both reports', () => /DELIVERED by rcs[\s\S]*READ by rcs/.test(said()))
      expect(said()).toContain(`${id} DELIVERED by rcs`)

      const body = JSON.stringify({ type: 'link.clicked', msg_id: 65, url: 'https://forged.example/' })
      const now = new Date()
      const other = Buffer.from('another secret').toString('base64')
      const sign = (secret: string, at = now) => ({
        'webhook-id': 'rep_65_7',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': new Webhook(secret).sign('rep_65_7', at, body),
      })
      const good = sign(world.hookSecret)
      const post = async (headers: Readonly<Record<string, string>>, text = body) =>
        (await fetch(address, { method: 'POST', body: text, headers })).status
      for (const headers of [
        {},
        sign(other),
        sign(world.hookSecret, new Date(now.getTime() - 302_000)),
        { ...good, 'webhook-timestamp': 'soon' },
        { ...good, 'webhook-id': 'rep_65_8' },
        { ...good, 'webhook-signature': 'v1,ü' },
      ]) {
        expect(await post(headers)).toBe(400)
      }
      expect(await post(good, `${body} `)).toBe(400)
      expect(await post(good, ' '.repeat(1_048_577))).toBe(413)
      expect(said()).not.toContain('forged')
      expect(await post({ ...good, 'webhook-signature': `v1a,AAAA v1,AAAA ${good['webhook-signature']}` })).toBe(204)
      await eventually('the click', () => said().includes('65 clicked https://forged.example/'))

      // Several reports in one POST.
      const before = said().length
      const click = (msg: number) => ({
        ...{ webhook_id: `rep_${msg}_0`, type: 'link.clicked', msg_id: msg, url: 'https://shop.example/' },
      })
      const array = JSON.stringify([click(66), click(67)])
      const at = String(Math.floor(now.getTime() / 1_000))
      const signature = new Webhook(world.hookSecret).sign('batch_1', now, array)
      const headers = { 'webhook-id': 'batch_1', 'webhook-timestamp': at, 'webhook-signature': signature }
      expect(await post(headers, array)).toBe(204)
      await eventually('the clicks', () => /66 clicked[\s\S]*67 clicked/.test(said().slice(before)))
    } finally {
      await receiver.stop()
    }
  })
})

interface Receiver {
  readonly address: string
  readonly said: () => string
  stop(): Promise<void>
}

/** The program says where it listens. */
async function startPython(program: string): Promise<Receiver> {
  const receiver = startReceiver(program, [`${FOLDER}receive-reports.py`, '0'])
  const address = await eventually('the receiver to listen', () => /http:\S+/.exec(receiver.said())?.[0])
  return { ...receiver, address }
}

/** PHP's own server takes no port 0. */
async function startPhp(program: string): Promise<Receiver> {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  const receiver = startReceiver(program, ['-S', `127.0.0.1:${port}`, `${FOLDER}receive-reports.php`])
  await eventually('the receiver to listen', () => receiver.said().includes('started'))
  return { ...receiver, address: `http://127.0.0.1:${port}/` }
}

function startReceiver(program: string, words: readonly string[]): Omit<Receiver, 'address'> {
  const env = { ...process.env, POSTHORN_HOOK_SECRET: `${world.hookSecret} whsec_b2xkZXIgc2VjcmV0` }
  const child: ChildProcess = spawn(program, words, { env, timeout: LONGEST_MS })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => (said += String(bytes)))
  const closed = once(child, 'close')
  return {
    said: () => said,
    stop: async () => {
      child.kill()
      await closed
    },
  }
}
