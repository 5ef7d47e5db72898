/** The collections for Postman and Bruno are what examples/ says, and every request of them works in a sandbox. */
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { bruToEnvJsonV2, bruToJsonV2 } from '@usebruno/lang'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PhoneText } from '../../src/simulator/smpp/phone-text.ts'
import { useOwnWorld } from '../support/own-world.ts'
import { expectLike } from '../support/placeholders.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

interface Item {
  readonly id: string
  readonly name: string
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[]
  readonly request: {
    readonly method: string
    readonly header: readonly { readonly key: string; readonly value: string }[]
    readonly url: string
    readonly body?: { readonly raw: string }
    readonly description: string
  }
}

interface Example {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly inbound?: PhoneText
  readonly answer: unknown
}

const collection = JSON.parse(read('clients/postman/posthorn.postman_collection.json')) as {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
}
const environment = JSON.parse(read('clients/postman/sandbox.postman_environment.json')) as {
  readonly values: readonly { readonly key: string; readonly value: string }[]
}
const items = collection.item.flatMap(({ item }) => item)
/** Those whose answers are all that the account has, with the one that made it. */
const WHOLE_LISTS: Readonly<Record<string, string | null>> = {
  ...{ 'event-list': null, 'inbound-list': null, 'template-list': 'template-create' },
}

describe('Bruno', () => {
  const filled = (script: string | undefined) => script?.replaceAll('bru.setVar', 'pm.environment.set').split('\n')

  test.each(items.map((item) => [item.id, item] as const))('reads %s as Postman does', (id, item) => {
    const folder = collection.item.find(({ item: all }) => all.includes(item))?.name
    const { meta, http, headers, body, script, docs } = bruToJsonV2(read(`clients/bruno/${folder}/${id}.bru`))
    const { method, url, header, body: raw, description } = item.request
    expect({ ...meta, docs }).toMatchObject({ name: item.name, type: 'http', docs: description })
    expect(http).toMatchObject({ method: method.toLowerCase(), url })
    expect(headers.map(({ name, value }) => ({ key: name, value }))).toEqual(header)
    expect(body?.json ?? body?.text).toBe(raw?.raw.trimEnd())
    const linesOf = (listen: string) => item.event.find((event) => event.listen === listen)?.script.exec
    expect(filled(script?.req)).toEqual(linesOf('prerequest'))
    expect(filled(script?.res)?.slice(1)).toEqual(linesOf('test')?.slice(1))
  })

  test('has the variables of Postman', () => {
    const { variables } = bruToEnvJsonV2(read('clients/bruno/environments/sandbox.bru'))
    const values = variables.map(({ name, value }) => ({ key: name, value }))
    expect(values.toSorted(byKey)).toEqual(environment.values.map(({ key, value }) => ({ key, value })).toSorted(byKey))
    expect(variables.filter(({ secret }) => secret === true).map(({ name }) => name)).toEqual(['api_key'])
  })

  const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1)
})

describe('a sandbox', () => {
  let world: SandboxWorld
  const variables = new Map<string, string>()
  beforeAll(async () => {
    for (const { key, value } of environment.values) variables.set(key, value)
    use(await SandboxWorld.start(60))
  })
  afterAll(() => world.stop())

  function use(used: SandboxWorld): void {
    world = used
    variables.set('base_url', world.gateway.address)
    variables.set('api_key', world.key)
    variables.set('hook', world.sink.address)
  }

  /** As Postman does: unknown variables, such as those of a bulk's text, stay as they are. */
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name) => variables.get(name) ?? whole)

  /** Runs the scripts of an item as Postman does, with as much of its interface as they use. */
  function run({ event }: Item, listen: string, answer = ''): void {
    const lines = event.filter((each) => each.listen === listen).flatMap(({ script }) => script.exec)
    class Time extends Date {
      static override now = () => world.clock.now()
    }
    const set = (name: string, value: string) => void variables.set(name, value)
    const pm = { environment: { set }, response: { text: () => answer } }
    runInContext(lines.join('\n'), createContext({ pm, Date: Time }))
  }

  async function send(item: Item): Promise<string> {
    run(item, 'prerequest')
    const { method, url, header, body } = item.request
    const response = await fetch(fill(url), {
      method,
      headers: Object.fromEntries(header.map(({ key, value }) => [key, fill(value)])),
      ...(body === undefined ? {} : { body: fill(body.raw) }),
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    run(item, 'test', text)
    return text
  }

  async function changeSettings(settings: object): Promise<object> {
    const path = `/accounts/${world.accountId}`
    const { body } = await world.askAdmin('GET', path)
    expect((await world.askAdmin('PATCH', path, { body: settings })).status).toBe(200)
    return Object.fromEntries(Object.keys(settings).map((name) => [name, body[name]]))
  }

  const withFirst = items.flatMap((item) => {
    const first = items.find(({ id }) => id === `${item.id}.first`)
    return item.id.endsWith('.first') ? [] : [[item.id, item, first] as const]
  })

  test('a refused request leaves the variables as they were', () => {
    const before = new Map(variables)
    const setting = items.filter(({ event }) => event.some(({ listen }) => listen === 'test'))
    expect(setting.length).toBeGreaterThan(3)
    for (const item of setting) run(item, 'test', '{"success":false,"error":"Access denied","code":"access_denied"}')
    expect(variables).toEqual(before)
  })

  test.each(withFirst)('answers %s as the example says', async (id, item, first) => {
    const maker = WHOLE_LISTS[id]
    if (maker !== undefined) {
      await useOwnWorld(world, use)
      for (const made of items) if (made.id === maker) await send(made)
    }
    const { settings = {}, inbound, answer } = JSON.parse(read(`examples/${id}.json`)) as Example
    if (Object.keys(settings).length > 0) {
      const usual = await changeSettings(settings)
      onTestFinished(async () => void (await changeSettings(usual)))
    }
    await world.rest()
    if (inbound !== undefined) expect(await world.box.write({ ...inbound, channel: 'sms' })).toBe(null)
    if (first !== undefined) {
      expect(JSON.parse(await send(first))).toMatchObject({ success: true })
      await world.rest()
    }
    if (item.request.body?.raw.includes('{{verify_code}}') === true) {
      await world.pass(1)
      const codes = world.box.traffic.arrivals.flatMap(({ text }) => text.match(/\b\d{6}\b/) ?? [])
      variables.set('verify_code', codes.at(-1) ?? '')
    }
    expectLike(JSON.parse(await send(item)), answer)
    // Its reports are not part of the next example.
    await world.pass(3)
  })
})
