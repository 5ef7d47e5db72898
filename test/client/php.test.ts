/** The client for PHP: its own tests, a scripted server, and its calls against the sandbox. */
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '../support/debian-program.ts'
import { LIFETIME_SECONDS, SandboxWorld } from '../support/sandbox-world.ts'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../clients/php/', import.meta.url))
const TICK_MS = 20
const LONGEST_MS = 60_000
const PHP = findProgram('php', 'php-cli', { words: ['-r', 'exit(PHP_VERSION_ID < 80100 ? 1 : 0);'] })

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

test.skipIf(PHP === null)('believes what the gateway signed, and nothing else', async () => {
  expect((await php('tests/reports.php')).stdout).toBe('OK\n')
})

test.skipIf(PHP === null)('repeats a request with its key as long as that can help', async () => {
  const sent = '{"success":true,"data":[{"success":true,"data":{"msg_id":65,"data":1,"parts":1}}]}'
  const failed =
    '{"success":true,"data":[{"success":false,"error":"phone: no price for it","code":"no_price","field":"phone","data":{"id":17}}]}'
  const unavailable = '{"success":false,"error":"Service unavailable, try again later","code":"unavailable"}'
  const event = succeeded({ events: [{ event_id: 'e1', cursor: '1', type: 'hook.test' }], next: '1', more: true })
  const ended = succeeded({ bulk_id: 5, state: 'finished', ended_at: '2026-03-01T09:00:00Z' })
  // Each call takes the steps of a line; null closes the connection.
  const script = [
    ...[503, unavailable, sent],
    ...[null, sent],
    ...['{"success":false,"error":"Access denied","code":"access_denied"}'],
    ...[failed],
    ...[502, 502, 502],
    ...[404],
    ...['{"success":true,"data":[]}'],
    ...['<html>'],
    // Cut off, as its repeats are.
    ...['{"success":true,"data":[', null, null],
    ...[502, null, unavailable, 503, event],
    ...[503, 503, 503, 503, ended],
  ]
  const seen: { key: unknown; body: string }[] = []
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      seen.push({ key: request.headers['idempotency-key'], body })
      const step = script.shift()
      if (step === null || step === undefined) request.socket.destroy()
      else if (typeof step === 'number') response.writeHead(step).end()
      else response.end(step)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { stdout } = await php('tests/retries.php', ['9'], { POSTHORN_URL: `http://127.0.0.1:${port}/` })
  server.close()
  expect(stdout.trim().split('\n')).toEqual([
    'sent 65 after 2 retries',
    'sent 65 after 1 retries',
    'request access_denied after 1',
    'item no_price phone 17',
    'none status 502 after 3',
    'none status 404 after 1',
    'none answer  after 1',
    'none answer  after 1',
    // Cut off.
    'none network  after 3',
    "operations: each must be an array, such as ['type' => 'balance']",
    'event e1 after 4 retries',
    'bulk finished after 4 retries',
  ])
  expect(new Set(seen.slice(0, 3).map(({ key }) => key)).size).toBe(1)
  expect(new Set(seen.map(({ key }) => key)).size).toBe(10)
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    auth: 'ph_live_secret',
    data: [{ type: 'sms', id: 17, phone: 491701234500, sms_signature: 'SMSTest', sms_message: 'Größe 1.0 €' }],
  })
})

test.skipIf(PHP === null)('bounds an answer that trickles, and says why a connection failed', async () => {
  const server = createServer((_, response) => {
    const trickling = setInterval(() => response.write(' '), TICK_MS)
    response.on('close', () => clearInterval(trickling))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { stdout } = await php('tests/waiting.php', [], { POSTHORN_URL: `http://127.0.0.1:${port}` })
  server.close()
  expect(stdout.trim().split('\n')).toEqual([
    'none network: no whole answer came in time',
    'none network: Failed to open stream: Connection refused',
  ])
})

test.skipIf(PHP === null)('sends a chain, verifies its report, reads events and uploads a bulk', async () => {
  const { stdout } = await php('tests/against_sandbox.php')
  expect(stdout.trim().split('\n')).toEqual([
    'report DELIVERED chatapp',
    'status DELIVERED 0.04 EUR',
    'error invalid_phone phone',
    'error access_denied',
    'event DELIVERED',
    'bulk 10 stopped',
  ])
})

function succeeded(data: object): string {
  return JSON.stringify({ success: true, data: [{ success: true, data }] })
}

function php(file: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const env = {
    ...process.env,
    POSTHORN_URL: world.gateway.address,
    POSTHORN_KEY: world.key,
    POSTHORN_HOOK_SECRET: world.hookSecret,
    ...environment,
  }
  return run(PHP ?? '', [file, ...args], { cwd: FOLDER, env, timeout: LONGEST_MS })
}
