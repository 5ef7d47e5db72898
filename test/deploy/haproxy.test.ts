/** The load balancer of deploy/haproxy.cfg, as HAProxy runs it: one gateway for all requests of a key. */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { HAPROXY_FILE, haproxyFor } from '../support/shipped-haproxy.ts'

const HAPROXY = findProgram('haproxy', 'haproxy', { words: ['-v'] })
const KEYS = Array.from({ length: 40 }, (_, index) => `ph_live_${index * 7919}`)
/** Larger than HAProxy's buffer. */
const LARGE = 'x'.repeat(100_000)

/** Answers with its name and the length of the body; ready unless a test says otherwise. */
class SmallGateway {
  isReady = true
  readonly #server: Server

  constructor(name: string) {
    this.#server = createServer((request, response) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      request.on('end', () => {
        if (request.url === '/readyz') response.statusCode = this.isReady ? 200 : 503
        response.end(JSON.stringify({ name, bytes }))
      })
    })
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
    })
  }
}

describe.skipIf(HAPROXY === null)('HAProxy in front of two gateways', () => {
  let gateways: readonly SmallGateway[]
  let program: DebianProgram
  let port: number

  beforeEach(async () => {
    gateways = [new SmallGateway('one'), new SmallGateway('two')]
    const ports = await Promise.all(gateways.map((each) => each.listen()))
    // A port that was free a moment ago.
    const free = new SmallGateway('')
    port = await free.listen()
    await free.stop()
    program = new DebianProgram()
    const servers = ports.map((each) => ({ port: each, checkPort: each }))
    writeFileSync(join(program.folder, 'haproxy.cfg'), haproxyFor(port, servers))
    program.start(HAPROXY ?? '', ['-db', '-f', 'haproxy.cfg'])
    await program.listens('tcp', port)
  })

  afterEach(async () => {
    await program.stop()
    await Promise.all(gateways.map((each) => each.stop()))
  })

  const ask = async (body: string | null, headers: Record<string, string> = {}) => {
    const init = body === null ? {} : { method: 'POST', body }
    const answer = await fetch(`http://127.0.0.1:${port}/api`, { ...init, headers })
    return (await answer.json()) as { name: string; bytes: number }
  }
  const byBody = async (auth: string) => (await ask(JSON.stringify({ action: 'sms', auth, text: 'Hi' }))).name
  const byHeader = async (auth: string) => (await ask('{}', { Authorization: `Bearer ${auth}` })).name

  test('the shipped file is valid', async () => {
    const check = new DebianProgram()
    check.start(HAPROXY ?? '', ['-c', '-f', HAPROXY_FILE])
    await check.endedWell()
    await check.stop()
  })

  test('forty keys use both gateways, and each stays with its own', async () => {
    const first: string[] = []
    for (const key of KEYS) first.push(await byBody(key))
    expect(new Set(first)).toEqual(new Set(['one', 'two']))
    for (const [index, key] of KEYS.toReversed().entries()) {
      expect(await byBody(key)).toBe(first.at(-1 - index))
    }
  })

  test('a key in the header goes where the same key in a body goes', async () => {
    for (const key of KEYS) expect(await byHeader(key)).toBe(await byBody(key))
  })

  test('bodies above the buffer arrive whole, with the key in front, behind and in the header', async () => {
    for (const key of KEYS.slice(0, 8)) {
      const inFront = JSON.stringify({ auth: key, text: LARGE })
      expect(await ask(inFront)).toEqual({ name: await byBody(key), bytes: inFront.length })
      const behind = JSON.stringify({ text: LARGE, auth: key })
      expect(await ask(behind)).toMatchObject({ bytes: behind.length })
      expect(await ask(LARGE, { Authorization: `Bearer ${key}` })).toEqual({
        name: await byHeader(key),
        bytes: LARGE.length,
      })
    }
  })

  test('requests without a key use both gateways', async () => {
    for (const body of [null, 'not JSON', '{"auth":null}']) {
      const names = new Set<string>()
      for (const _ of KEYS) names.add((await ask(body)).name)
      expect(names).toEqual(new Set(['one', 'two']))
    }
  })

  test('a gateway that is not ready, or gone, loses its keys to the other, and gets them back when ready', async () => {
    const before: string[] = []
    for (const key of KEYS) before.push(await byBody(key))
    const [one, two] = gateways as [SmallGateway, SmallGateway]
    const keyOfOne = KEYS[before.indexOf('one')] ?? ''
    const keyOfTwo = KEYS[before.indexOf('two')] ?? ''
    one.isReady = false
    while ((await byBody(keyOfOne)) !== 'two');
    expect(await byBody(keyOfTwo)).toBe('two')
    one.isReady = true
    while ((await byBody(keyOfOne)) !== 'one');
    await two.stop()
    expect(await byBody(keyOfTwo)).toBe('one')
  })
})
