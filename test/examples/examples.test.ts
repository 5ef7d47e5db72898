/** Replays examples/: request, answer. The phones answer calls as those of the simulator do. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advance } from '../../src/domain/journey.ts'
import type { Message } from '../../src/domain/message.ts'
import { scriptOf } from '../../src/simulator/phones.ts'
import { type ClientBench, KEY, startClientBench } from '../support/client-bench.ts'
import { expectLike } from '../support/placeholders.ts'

interface Example {
  readonly name: string
  readonly first?: ExampleRequest
  readonly request: ExampleRequest
  readonly answer: unknown
}

interface ExampleRequest {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string
}

const folder = new URL('../../examples/', import.meta.url)
const examples = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file): [string, Example] => [file, JSON.parse(readFileSync(new URL(file, folder), 'utf8'))])

let bench: ClientBench
beforeAll(async () => {
  bench = await startClientBench()
  bench.outbox.answerCall = (message) => (scriptOf(message.phone).call === 'fails' ? failed(message) : null)
})
afterAll(() => bench.stop())

function failed(message: Message): Message {
  const refusal = { kind: 'refused', status: 'REJECTED', reason: '404', part: 0 } as const
  const at = bench.clock.now()
  const turn = advance(message, { kind: 'answered', at, step: 0, carrierId: 'voice', verdicts: [refusal], jitter: 0 })
  return turn?.message ?? message
}

function send({ path, method = 'POST', headers = {}, body, rawBody }: ExampleRequest) {
  const text = (rawBody ?? JSON.stringify(body) ?? '')
    .replaceAll('<API_KEY>', KEY)
    .replaceAll('<HOOK>', 'https://client.example/hook')
  return bench.postRaw(text, { path, method, headers })
}

test.each(examples)('%s', async (_, { first, request, answer }) => {
  const before = first === undefined ? null : await send(first)
  const { status, text } = await send(request)
  expect(status).toBe(200)
  expectLike(JSON.parse(text), answer)
  if (before !== null && JSON.parse(text).success) expect(text).toBe(before.text)
})
