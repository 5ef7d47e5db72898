/** Single settings of a carrier change, and the others stay: on the command line and over the admin API. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const VOICE = { host: 'sbc.example.net', port: 5070, username: 'acme', password: 'secret77', calledFormat: 'digits' }

describe('posthorn carrier set', () => {
  let line: CommandLine
  beforeEach(async () => {
    line = new CommandLine()
    const words = 'carrier add --id voice --kind sip --no-route --settings -'.split(' ')
    await line.ask(words, JSON.stringify(VOICE))
  })
  afterEach(() => line.close())

  const settings = async () => (await line.directory()).carriers[0]?.settings
  const set = (words: string, input = '') => line.run(['carrier', 'set', '--id', 'voice', ...words.split(' ')], input)

  test('changes one setting, and keeps the others and the secrets', async () => {
    const { exitCode, out } = await set('--set earlyMedia=ringing')
    expect(exitCode).toBe(0)
    expect(out).toBe('Carrier voice has now:\n  earlyMedia: "ringing"\n')
    expect(await settings()).toEqual({ ...VOICE, earlyMedia: 'ringing' })
  })

  test('removes a setting, and takes a secret from standard input', async () => {
    expect(await set('--unset calledFormat --settings -', '{"password":"secret88"}')).toMatchObject({
      out: 'Carrier voice has now:\n  password: "<kept>"\n  calledFormat: its default\n',
    })
    const { calledFormat: _, ...rest } = VOICE
    expect(await settings()).toEqual({ ...rest, password: 'secret88' })
  })

  test.each([
    ['--set earlyMedia=loud', 1, /^error: invalid settings of carrier voice: earlyMedia: /],
    ['--set earlymedia=ringing', 1, /^error: invalid settings of carrier voice: earlymedia: /],
    ['--unset prack', 1, /^error: carrier voice has no setting prack to remove\n$/],
    [
      '--set host=evil.example',
      1,
      /^error: carrier voice: host changed, so <kept> cannot stand for password: give the secret itself/,
    ],
    ['--set prack=true --unset prack', 2, /^error: --unset: prack is also given a value\n$/],
    ['--json', 2, /^error: --set, --unset, --settings, --answer or --answers: one of them is required\n$/],
    ['--answer host=other', 2, /^error: --answers: carrier voice has no provider\n$/],
    ['--id= --set prack=true', 2, /^error: --id: required\n$/],
    ['--id other --set prack=true', 1, /^error: there is no carrier other\n$/],
  ])('refuses %s and changes nothing', async (words, exitCode, err) => {
    expect(await set(words)).toEqual({ exitCode, out: '', err: expect.stringMatching(err) })
    expect(await settings()).toEqual(VOICE)
  })

  test('a list is JSON', async () => {
    const words = 'carrier add --id acme --kind smpp --no-route --set host=a.example --set port=1 --set systemId=me'
    await line.ask([...words.split(' '), '--set', 'password=x', '--set', 'backupHosts=["b.example"]'])
    const acme = (await line.directory()).carriers.find(({ id }) => id === 'acme')
    expect(acme?.settings).toMatchObject({ backupHosts: ['b.example'] })
  })

  test('a dot leads into an object', async () => {
    await set('--set degradedAfter.answers=9 --set degradedAfter.seconds=30')
    expect(await set('--set degradedAfter.answers=7')).toMatchObject({ exitCode: 0 })
    expect(await settings()).toMatchObject({ degradedAfter: { answers: 7, seconds: 30 } })
    expect(await set('--unset degradedAfter.answers')).toMatchObject({ exitCode: 0 })
    expect(await settings()).toEqual({ ...VOICE, degradedAfter: { seconds: 30 } })
    expect(await set('--set degradedAfter.answers=7 --unset degradedAfter')).toMatchObject({ exitCode: 2 })
  })

  test('names all mistakes at once', async () => {
    const { exitCode, err } = await set('--set earlyMedia=loud --set port=0 --set prakc=true')
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      /^error: 4 mistakes:\n {2}password: port changed: .*\n {2}port: should .*\n {2}earlyMedia: should .*\n {2}prakc: is not a /,
    )
    expect(await settings()).toEqual(VOICE)
  })

  test('a carrier that is added again names the settings that it lost', async () => {
    const words = 'carrier add --id voice --kind sip --no-route --set host=sbc.example.net --set earlyMedia=ringing'
    const { exitCode, out } = await line.run(words.split(' '))
    expect(exitCode).toBe(0)
    expect(out).toContain(
      'Removed settings, because they were not given again: port, username, password, calledFormat.',
    )
    expect(out).toContain('posthorn carrier set --id voice --set name=value')
    expect(await line.ask(words.split(' '))).toMatchObject({ removed_settings: [] })
  })

  test('carrier show --json names the settings as they are set', async () => {
    const shown = await line.ask('carrier show --id voice'.split(' '))
    expect(shown['settings']).toEqual({ ...VOICE, password: '<kept>' })
  })
})

describe('PATCH /carriers/{id}/settings', () => {
  let world: SandboxWorld
  beforeEach(async () => {
    world = await SandboxWorld.start()
  })
  afterEach(() => world.stop())

  test('is a merge patch that returns the settings, secrets as <kept>', async () => {
    const body = { kind: 'sip', route: null, settings: VOICE }
    expect(await world.askAdmin('PUT', '/carriers/voice', { body })).toMatchObject({ body: { removed_settings: [] } })
    const patch = { settings: { calledFormat: null, earlyMedia: 'ringing' } }
    const { status, body: changed } = await world.askAdmin('PATCH', '/carriers/voice/settings', { body: patch })
    expect(status).toBe(200)
    const { calledFormat: _, ...rest } = VOICE
    expect(changed['settings']).toEqual({ ...rest, password: '<kept>', earlyMedia: 'ringing' })
    const audit = await world.askAdmin('GET', '/audit')
    expect(JSON.stringify(audit.body)).toContain('changeCarrierSettings')
    expect(JSON.stringify(audit.body)).not.toContain('secret77')
    const lost = await world.askAdmin('PUT', '/carriers/voice', {
      body: { ...body, settings: { host: 'sbc.example.net' } },
    })
    expect(lost.body['removed_settings']).toEqual(['port', 'username', 'password', 'earlyMedia'])
  })

  test('changes members of an object', async () => {
    const senders = { Shop: { tlvs: [{ tag: '0x1400', value: '1' }] } }
    const settings = { host: '127.0.0.1', port: 1, systemId: 'posthorn', password: 'secret77', senders }
    await world.askAdmin('PUT', '/carriers/bharat', { body: { kind: 'smpp', route: null, settings } })
    const other = { Other: { tlvs: [{ tag: '0x1400', value: '2' }] } }
    const patch = { settings: { senders: other } }
    const { body } = await world.askAdmin('PATCH', '/carriers/bharat/settings', { body: patch })
    expect(body['settings']).toMatchObject({ senders: { ...senders, ...other } })
  })

  test('an answer names each wrong field of a new carrier, its name and those of its provider included', async () => {
    const settings = {
      host: '',
      tls: { ca: 'no', servername: 7 },
      senders: { Shop: { tlvs: [{ tag: 'x', value: '1' }] } },
    }
    const put = (id: string, body: object) => world.askAdmin('PUT', `/carriers/${id}`, { body })
    const { status, body } = await put('Not-an-id', { kind: 'smpp', settings, new: true })
    const { errors, detail } = body as {
      readonly errors: readonly { readonly field: string }[]
      readonly detail: string
    }
    expect(errors.map(({ field }) => field)).toEqual([
      ...['id', 'settings.host', 'settings.port', 'settings.systemId', 'settings.password'],
      ...['settings.tls.ca', 'settings.tls.servername', 'settings.senders.Shop.tlvs.0.tag'],
    ])
    expect({ status, detail }).toEqual({ status: 422, detail: expect.stringContaining('the id of a carrier must be') })
    expect(await put('sandbox-sms', { provider: 'twilio', answers: { accountSid: 'x' }, new: true })).toMatchObject({
      body: { errors: [{ field: 'id' }, { field: 'answers.accountSid' }, { field: 'answers.authToken' }] },
    })
  })

  test('an answer has at most fifty mistakes', async () => {
    const settings = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`wrong${index}`, 1]))
    const { body } = await world.askAdmin('PUT', '/carriers/many', { body: { kind: 'smpp', settings } })
    expect(body['errors']).toHaveLength(50)
  })

  test.each([
    ['PUT', '/carriers/', 'id'],
    ['PUT', '/carriers/?x=1', 'id'],
    ['PATCH', '/carriers//settings', 'id'],
    ['POST', '/accounts//opt-outs', 'account'],
  ])('%s %s names the part of the path that is missing', async (method, path, field) => {
    const answer = await world.askAdmin(method, path, { body: { settings: {} } })
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: `${field}: required`, errors: [{ field, detail: 'required' }] },
    })
  })

  test('refuses a carrier that there is not', async () => {
    const body = { settings: { prack: false } }
    expect((await world.askAdmin('PATCH', '/carriers/none/settings', { body })).status).toBe(404)
  })
})
