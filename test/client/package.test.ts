/** The package as npm would publish it, and its README: what is shown there compiles, and its receivers receive. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BuiltClient } from '../support/built-client.ts'

const SECRET = `whsec_${Buffer.from('the secret of a test, 24+').toString('base64')}`
const TYPE_ROOT = new URL('../../node_modules/@types', import.meta.url).pathname

let built: BuiltClient
beforeAll(() => {
  built = new BuiltClient()
})
afterAll(() => built.remove())

describe('the package', () => {
  const manifest = () => JSON.parse(readFileSync(join(built.package, 'package.json'), 'utf8'))

  test('holds what it says, and nothing besides', () => {
    const { stdout, status } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: built.package,
      encoding: 'utf8',
    })
    expect(status).toBe(0)
    const [{ files, size }] = JSON.parse(stdout)
    const paths = files.map(({ path }: { path: string }) => path)
    expect(paths.filter((path: string) => !/^dist\/[a-z-]+(\.d\.ts|\.js)$/.test(path)).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ])
    expect(size).toBeLessThan(50_000)
    for (const path of Object.values(manifest().exports['.'] as Record<string, string>)) {
      expect(paths).toContain(path.replace('./', ''))
    }
  })

  test('has no dependencies, runs from Node 20 on, and gives types first', () => {
    const { name, type, engines, exports, dependencies, peerDependencies, license } = manifest()
    expect({ name, type, license, node: engines.node }).toEqual({
      name: 'posthorn-client',
      type: 'module',
      license: 'Apache-2.0',
      node: '>=20',
    })
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    expect(Object.keys(exports['.'])).toEqual(['types', 'default'])
  })

  test('imports its own files and nothing else', () => {
    const dist = join(built.package, 'dist')
    const scripts = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const imported = scripts.flatMap((file) =>
      [...readFileSync(join(dist, file), 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(
        ([, path = '']) => path,
      ),
    )
    expect(imported.length).toBeGreaterThan(10)
    expect(imported.filter((path) => !/^\.\/[a-z-]+\.js$/.test(path) || !existsSync(join(dist, path)))).toEqual([])
  })

  test.each([
    ['workers', { lib: ['es2022', 'webworker'] }],
    ['browsers and bundlers', { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler' }],
    ['Node', { lib: ['es2022'], types: ['node'], typeRoots: [TYPE_ROOT] }],
  ])('has types that hold in projects for %s', (_, options) => {
    const program = `
      import { Posthorn, ReportVerifier, type Results } from 'posthorn-client'
      const posthorn = new Posthorn({ baseUrl: 'https://gateway.example', apiKey: 'key' })
      const results: Results<['balance']> = await posthorn.batch([{ type: 'balance' }])
      if (results[0].success) results[0].data.amount.toFixed()
      // @ts-expect-error: a failure has no data.
      else results[0].data
      await new ReportVerifier({ secrets: 'whsec_AAAA' }).verify(new Uint8Array(), new Headers())`
    expect(built.typeErrors(program, options)).toBe('')
  })
})

describe('README.md', () => {
  const blocks = [
    ...readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm),
  ].map(([, code = '']) => code)
  const blockWith = (word: string): string => blocks.find((block) => block.includes(word)) ?? ''

  const SURROUNDINGS = `
    import type { IncomingHttpHeaders } from 'node:http'
    interface ExpressRequest { body: Uint8Array; headers: IncomingHttpHeaders }
    interface ExpressResponse { status(code: number): { end(): void } }
    declare const app: { post(path: string, raw: unknown, handle: (request: ExpressRequest, response: ExpressResponse) => void): void }
    declare const express: { raw(options: object): unknown }`

  test('compiles, one block after the other', () => {
    expect(blocks).toHaveLength(12)
    const program = [SURROUNDINGS, ...blocks].join('\n')
    expect(built.typeErrors(program, { types: ['node'], typeRoots: [TYPE_ROOT] })).toBe('')
  })

  const HEAD = `
    import { ReportRejected, ReportVerifier } from 'posthorn-client'
    const verifier = new ReportVerifier({ secrets: '${SECRET}' })
    const console = { log() {} }\n`

  /** A receiver of the README as a module of the project. */
  function load(name: string, code: string): Promise<Record<string, never>> {
    return import(pathToFileURL(built.write(`${name}.ts`, code)).href)
  }

  async function nodeReceiver(): Promise<Server> {
    const block = blockWith('server.listen(9000)')
      .replace('server.listen(9000)', 'export { server }')
      .replace("process.env['POSTHORN_HOOK_SECRET'] ?? ''", `'${SECRET}'`)
    return (await load('node-receiver', `const console = { log() {} }\n${block}`))['server'] as unknown as Server
  }

  async function fetchReceiver(): Promise<Server> {
    const module = await load('fetch-receiver', HEAD + blockWith('export default'))
    const { fetch } = module['default'] as unknown as { fetch(request: Request): Promise<Response> }
    return createServer(
      withBody(async (request, response, body) => {
        const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
        const answer = await fetch(new Request('http://hook.example/', { method: 'POST', headers, body }))
        response.writeHead(answer.status).end()
      }),
    )
  }

  /** As much of Express as the README's lines need. */
  async function expressReceiver(): Promise<Server> {
    const code = `${HEAD}
      let handle
      const express = { raw: () => null }
      const app = { post: (path, raw, handler) => { handle = handler } }
      ${blockWith('app.post')}
      export { handle }`
    type Handle = (request: object, response: object) => Promise<void>
    const handle = (await load('express-receiver', code))['handle'] as unknown as Handle
    return createServer(
      withBody((request, response, body) => {
        const status = (code: number) => response.writeHead(code)
        return handle({ body: Buffer.from(body), headers: request.headers }, { status })
      }),
    )
  }

  function withBody(
    handle: (...call: [...Parameters<RequestListener>, body: string]) => Promise<void>,
  ): RequestListener {
    return (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => void handle(request, response, Buffer.concat(chunks).toString()))
    }
  }

  test.each([
    ['Node', nodeReceiver],
    ['fetch', fetchReceiver],
    ['Express', expressReceiver],
  ])('the receiver in the manner of %s takes what is signed and refuses what is not', async (_, make) => {
    const server = await make()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const body =
      '{"type":"message.status","timestamp":"2026-01-01T00:00:00.000Z","id":1,"msg_id":65,"status":"DELIVERED"}'
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'rep_65_0',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign('rep_65_0', now, body),
    }
    const post = async (text: string) =>
      (await fetch(`http://127.0.0.1:${port}/reports`, { method: 'POST', headers, body: text })).status
    expect(await post(body)).toBe(204)
    expect(await post(body.replace('DELIVERED', 'REJECTED'))).toBe(400)
    expect(await post(' '.repeat(70_000))).toBe(400)
    server.closeAllConnections()
    server.close()
  })
})
