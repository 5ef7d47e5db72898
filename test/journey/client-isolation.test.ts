/**
 * Users and API keys of an account see and change that account alone. Two accounts have the same kinds of things, and
 * each endpoint of the table is asked for those of both: it is refused to users of an account, or keeps them to theirs.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Endpoint } from '../../src/operations/admin/endpoint/endpoint.ts'
import { ENDPOINTS } from '../../src/operations/admin/endpoints.ts'
import { SANDBOX_CARRIERS } from '../../src/sandbox/set-up.ts'
import type { AdminReply } from '../support/ask-admin-api.ts'
import { CLIENT_ROLES, ClientAccount, type ClientRole } from '../support/client-account.ts'
import { CLIENT_CASES, type ClientCase } from '../support/client-cases.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

let world: SandboxWorld
let ours: ClientAccount
let theirs: ClientAccount
beforeAll(async () => {
  world = await SandboxWorld.start()
  world.sink.answer = ({ path }) => ({ status: path.includes('gone') ? 410 : 200 })
  // The sandbox has the first account. On PostgreSQL the third and the fourth share a bucket.
  await world.askAdmin('POST', '/accounts', { body: { name: 'Second', currency: 'EUR' } })
  ours = await ClientAccount.create(world, 'wren')
  theirs = await ClientAccount.create(world, 'magpie')
  await world.pass(5)
})
afterAll(() => world.stop())

const forClients = ENDPOINTS.filter(({ clients }) => clients !== null)
const caseOf = ({ name }: Endpoint, account: ClientAccount): ClientCase => CLIENT_CASES[name]?.(account) ?? {}
const mayUse = ({ clients }: Endpoint, role: ClientRole) => clients?.may.includes(role) === true

/** Asks as a user of our account. */
function ask(role: ClientRole, { method, path }: Endpoint, { params = {}, query = {}, body }: ClientCase) {
  const values = params as Readonly<Record<string, unknown>>
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? 7)))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  )
  return ours.ask(role, method, `${filled}${search.size === 0 ? '' : `?${search}`}`, body)
}

/** Returns the case with another account number, or without any. */
function withAccount({ params, query, body }: ClientCase, account: number | undefined): ClientCase {
  const change = <T extends object>(values: T | undefined) => {
    if (values === undefined || !('account' in values)) return values
    const { account: _, ...others } = values
    return account === undefined ? others : { ...others, account }
  }
  return { params: change(params), query: change(query), body: change(body) } as ClientCase
}

const wordsOfOperators = [...Object.values(SANDBOX_CARRIERS), 'NOT_FOUND', 'sandbox-agent', '"sandbox"']

function expectNothingForeign({ body }: AdminReply): void {
  const text = JSON.stringify(body)
  expect(text).not.toContain(theirs.mark)
  expect(text).not.toContain(`"account":${theirs.id}`)
  for (const id of [theirs.message, theirs.inbound, theirs.bulk]) expect(text).not.toContain(String(id))
  for (const word of wordsOfOperators) expect(text).not.toContain(word)
}

const overview = async () => {
  const reads = ['', '/balance', '/keys', '/chat-templates', '/bulks'].map((path) => `/accounts/${theirs.id}${path}`)
  const lists = ['senders', 'messages', 'failed-reports', 'stopped-hooks', 'client-hooks', 'opt-outs', 'users']
  const paths = [...reads, ...lists.map((list) => `/${list}?account=${theirs.id}`), `/users/${theirs.spare}/tokens`]
  return Promise.all(paths.map(async (path) => (await world.askAdmin('GET', path)).body))
}

test.each(ENDPOINTS.filter(({ clients, may }) => clients === null && may !== 'public'))(
  '$name is refused to users of an account',
  async (endpoint) => {
    for (const role of CLIENT_ROLES) {
      const reply = await ask(role, endpoint, {})
      expect([endpoint.name, reply.status]).toEqual([endpoint.name, 403])
      expectNothingForeign(reply)
    }
  },
)

test('the live view of a gateway is refused to users of an account', async () => {
  for (const role of CLIENT_ROLES) expect((await ours.ask(role, 'GET', '/live')).status).toBe(403)
})

describe('what belongs to another account', () => {
  test.each(forClients.filter(({ clients }) => clients?.scope !== 'self'))(
    '$name is answered as what does not exist',
    async (endpoint) => {
      const before = await overview()
      for (const role of CLIENT_ROLES) {
        const reply = await ask(role, endpoint, caseOf(endpoint, theirs))
        expect([endpoint.name, reply.status]).toEqual([endpoint.name, mayUse(endpoint, role) ? 404 : 403])
        expect(JSON.stringify(reply.body)).not.toContain(theirs.mark)
      }
      expect(await overview()).toEqual(before)
    },
  )

  test.each(forClients.filter(({ clients }) => typeof clients?.scope === 'object'))(
    '$name answers alike for a record of another account and for none',
    async (endpoint) => {
      const { params = {}, ...others } = caseOf(endpoint, theirs)
      const missing = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          { user: 'missing@99', message: 64, inbound: 64 }[name] ?? value,
        ]),
      )
      const foreign = await ask('client-admin', endpoint, { ...others, params })
      expect(await ask('client-admin', endpoint, { ...others, params: missing })).toEqual(foreign)
    },
  )

  test.each(forClients.filter(({ clients }) => clients?.scope === 'account'))(
    '$name answers alike for another account and for none',
    async (endpoint) => {
      const foreign = await ask('client-admin', endpoint, withAccount(caseOf(endpoint, theirs), theirs.id))
      const missing = await ask('client-admin', endpoint, withAccount(caseOf(endpoint, theirs), 9_999))
      const blank = (reply: AdminReply) => JSON.stringify(reply).replace(/account \d+/g, 'account')
      expect(blank(missing)).toEqual(blank(foreign))
    },
  )

  test('is not reached by a key of its own under the number of our account', async () => {
    for (const name of ['readBulk', 'pauseBulk', 'deleteClientHook', 'resumeHook', 'revokeKey']) {
      const endpoint = ENDPOINTS.find((each) => each.name === name) as Endpoint
      const reads = { ...theirs, id: ours.id, hook: theirs.hook + 1_000 } as ClientAccount
      const { params = {}, ...others } = caseOf(endpoint, reads)
      const named = 'name' in params ? { ...params, name: `server ${theirs.mark}` } : params
      const reply = await ask('client-admin', endpoint, { ...others, params: named })
      expect([name, reply.status >= 400]).toEqual([name, true])
    }
    const found = await ours.ask('client-admin', 'POST', '/messages/find', { phone: theirs.phone })
    expect(found.body['data']).toMatchObject([{ message: ours.message, account: ours.id }])
    const resent = await ours.ask('client-admin', 'POST', '/failed-reports/resend', { message: theirs.message })
    expect(resent.body).toEqual({ resent: 0 })
  })
})

describe('with an API key of ours', () => {
  const withKey = async (key: string, ...data: readonly object[]) => (await world.post({ auth: key, data })).data ?? []
  let template: number
  beforeAll(async () => {
    const item = { type: 'template/create', name: 'hello', template: 'Hello {{1}}' }
    const [made] = await withKey(theirs.key, item)
    template = Number(made?.data['id'])
    expect(template).toBeGreaterThan(0)
  })

  /** With the ids of another account, or so much larger ones that there is nothing. */
  const NAMING: Readonly<Record<string, (further: number) => object>> = {
    status: (further) => ({ msg_id: theirs.message + further }),
    'status by id': (further) => ({ type: 'status', id: `order-${further === 0 ? theirs.mark : 'none'}` }),
    cancel: (further) => ({ msg_id: theirs.message + further }),
    'verify/check': (further) => ({ verify_id: theirs.message + further, code: '123456' }),
    'template/delete': (further) => ({ id: template + further }),
    'template/delete by name': (further) => ({ type: 'template/delete', name: further === 0 ? 'hello' : 'none' }),
    ...Object.fromEntries(
      ['start', 'pause', 'stop', 'status', 'errors'].map((command) => [
        `bulk/${command}`,
        (further: number) => ({ bulk_id: theirs.bulk + further }),
      ]),
    ),
    sms: (further) => ({ phone: '37120000100', sms_message: 'Yes', reply_to: theirs.inbound + further }),
    'hook/replay': (further) => ({ hook: further === 0 ? theirs.failedHook : 'https://none.example' }),
  }

  test.each(Object.keys(NAMING))('%s answers alike for a record of another account and for none', async (type) => {
    const before = await overview()
    /** Without the id, which is that of the operation. */
    const ask = async (further: number) => {
      const answers = await withKey(ours.key, { type, ...NAMING[type]?.(further) })
      return answers.map(({ data: { id: _, ...data }, ...rest }) => ({ ...rest, data }))
    }
    const foreign = await ask(0)
    expect(foreign).toHaveLength(1)
    expect(JSON.stringify(foreign)).not.toContain(theirs.mark)
    expect(await ask(64 * 2 ** 30)).toEqual(foreign)
    expect(await overview()).toEqual(before)
  })

  test('lists have nothing of another account', async () => {
    const lists = ['bulk/list', 'template/list', 'template/chatapp/list', 'hook/list', 'event/list', 'inbound/list']
    const answers = await withKey(ours.key, ...lists.map((type) => ({ type })))
    expect(answers.map(({ success }) => success)).toEqual(lists.map(() => true))
    for (const text of [theirs.mark, String(theirs.bulk), String(theirs.inbound), String(template)]) {
      expect(JSON.stringify(answers)).not.toContain(text)
    }
  })

  test('an upload finds no bulk of another account', async () => {
    const upload = async (bulk: number) => {
      const response = await fetch(`${world.gateway.address}/api/bulk/${bulk}/lines`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ours.key}`, 'content-type': 'application/x-ndjson' },
        body: '{"phone":"37120000100"}\n',
      })
      return [response.status, await response.text()]
    }
    expect(await upload(theirs.bulk)).toEqual(await upload(theirs.bulk + 64 * 2 ** 30))
  })
})

describe('our own account', () => {
  async function expectOursAlone(endpoint: Endpoint): Promise<void> {
    const own = caseOf(endpoint, ours)
    const asked = mayUse(endpoint, 'client-reader') ? CLIENT_ROLES : (['client-admin'] as const)
    if (!mayUse(endpoint, 'client-reader')) {
      expect([endpoint.name, (await ask('client-reader', endpoint, own)).status]).toEqual([endpoint.name, 403])
    }
    for (const role of asked) {
      const reply = await ask(role, endpoint, own)
      if (!NEEDS_MORE.has(endpoint.name)) {
        expect([endpoint.name, reply.status, reply.status < 300 ? 0 : reply.body]).toEqual([
          endpoint.name,
          reply.status,
          0,
        ])
      }
      expectNothingForeign(reply)
      if (endpoint.method === 'GET' && endpoint.clients?.scope === 'account') {
        expectNothingForeign(await ask(role, endpoint, withAccount(own, ours.id)))
      }
    }
  }

  test.each(forClients.filter(({ method }) => method === 'GET'))('$name shows nothing of others', expectOursAlone)

  test('no change of it shows anything of others', async () => {
    const used = ours
    onTestFinished(() => {
      ours = used
    })
    ours = await ClientAccount.create(world, 'dunnock')
    await world.pass(5)
    // In the order of the table: some end what others change.
    const changes = forClients.filter(({ method, name }) => method !== 'GET' && name !== 'logOut')
    for (const endpoint of changes) await expectOursAlone(endpoint)
  })

  test.each(forClients.filter(({ query, body }) => 'account' in { ...query.properties, ...body.properties }))(
    '$name is filled in where it is not given',
    async (endpoint) => {
      const reply = await ask('client-admin', endpoint, withAccount(caseOf(endpoint, ours), undefined))
      expectNothingForeign(reply)
      expect(reply.status).not.toBe(404)
    },
  )
})

/** Their own tests are in test/admin: they need a password, a code, a device, a failing hook … */
const NEEDS_MORE = new Set([
  ...['proveSession', 'challengeProof', 'keepCodes', 'setPassword', 'pauseBulk', 'tryHook'],
  ...['provePasskey', 'proposePasskey', 'addPasskey', 'renamePasskey', 'removePasskey', 'removePasskeys'],
])
