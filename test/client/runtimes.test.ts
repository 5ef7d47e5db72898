/** The built client in every runtime that the machine has, against the sandbox. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BuiltClient } from '../support/built-client.ts'
import { findRuntime } from '../support/find-runtime.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const run = promisify(execFile)

let world: SandboxWorld
let built: BuiltClient
beforeAll(async () => {
  built = new BuiltClient()
  world = await SandboxWorld.start()
})
afterAll(async () => {
  built.remove()
  await world.stop()
})

const RUNTIMES = [
  ['this Node', { path: process.execPath, version: process.version }, []],
  ['Node 20', findRuntime('node', 'v20.'), []],
  [
    'Deno',
    findRuntime('deno'),
    ['run', '--quiet', '--no-prompt', '--allow-net=127.0.0.1', '--node-modules-dir=manual'],
  ],
  ['Bun', findRuntime('bun'), []],
] as const

/** A message, a failure, a time-out, a key that is wrong and a report, in a program that any runtime can read. */
function program(): string {
  const body = JSON.stringify({ type: 'link.clicked', id: 'order-1' }).replace('"order-1"', '9223372036854775807')
  const at = new Date()
  const headers = {
    'webhook-id': 'rep_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(world.hookSecret).sign('rep_1', at, body),
  }
  return `
    import { ItemError, NoAnswerError, Posthorn, ReportRejected, ReportVerifier, RequestError } from 'posthorn-client'
    const options = { baseUrl: '${world.gateway.address}', apiKey: '${world.key}' }
    const posthorn = new Posthorn(options)
    const message = { type: 'rcs', phone: 491701234500, rcs_signature: 'RCSTest', rcs_message: 'Hello' }
    const [sent, failed] = await posthorn.batch([{ ...message, id: 9223372036854775807n }, { ...message, phone: 12 }])
    const refused = await new Posthorn({ ...options, apiKey: 'x' }).balance().catch((error) => error)
    const lost = await new Posthorn({ ...options, baseUrl: 'http://127.0.0.1:1', retry: { tries: 2, firstDelayMs: 0 } })
      .send(message).catch((error) => error)
    const ended = await posthorn.balance({ signal: AbortSignal.abort('enough') }).catch((reason) => reason)
    const verifier = new ReportVerifier({ secrets: ${JSON.stringify(world.hookSecret)} })
    const { webhookId, report } = await verifier.verify(${JSON.stringify(body)}, ${JSON.stringify(headers)})
    const forged = await verifier.verify('{}', ${JSON.stringify(headers)}).catch((error) => error)
    console.log(JSON.stringify([
      sent.data.id === 9223372036854775807n && sent.data.parts,
      failed.error instanceof ItemError && failed.error.code,
      refused instanceof RequestError && refused.code,
      lost instanceof NoAnswerError && [lost.reason, lost.tries],
      ended,
      webhookId,
      report.type === 'link.clicked' && report.id === 9223372036854775807n,
      forged instanceof ReportRejected && forged.reason,
    ]))`
}

for (const [name, runtime, words] of RUNTIMES) {
  test.skipIf(runtime === null)(`the client runs in ${name} ${runtime?.version ?? ''}`, async () => {
    const script = built.write('smoke.mjs', program())
    const { stdout } = await run(runtime?.path ?? '', [...words, script], { cwd: built.folder, timeout: 20_000 })
    expect(JSON.parse(stdout)).toEqual([
      1,
      'invalid_phone',
      'access_denied',
      ['network', 2],
      'enough',
      'rep_1',
      true,
      'signature',
    ])
  })
}
