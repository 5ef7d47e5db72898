/** Ready settings of providers: listed, shown, and copied into a carrier by commands and over the admin API. */
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askLine } from '../../src/cli/command/ask-line.ts'
import { CommandLine } from '../support/command-line.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'

const API_KEY = 'atsk_0123456789abcdef'
const ANSWERS = { username: 'shopapp', apiKey: API_KEY }

interface Settings {
  readonly constants: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly provider: object
}

describe('on the command line', () => {
  let line: CommandLine
  beforeEach(() => {
    line = new CommandLine()
    line.environment = { POSTHORN_PUBLIC_URL: 'https://sms.example' }
  })
  afterEach(() => line.close())

  const add = (words: string, input = '') =>
    line.run(['carrier', 'add', '--id', 'at', '--provider', 'africastalking', ...words.split(' ')], input)
  const settings = async () => (await line.directory()).carriers[0]?.settings as Settings

  test('provider list names the providers, and how well their settings are known', async () => {
    const { out } = await line.run(['provider', 'list'])
    expect(out).toMatch(/^africastalking +Africa's Talking +sms +verified$/m)
  })

  test('provider show lists the questions, the steps with the real addresses, and the limits', async () => {
    const { out } = await line.run('provider show africastalking --carrier at'.split(' '))
    expect(out).toMatch(/^apiKey +secret +Settings, API Key/m)
    expect(out).toContain('Delivery Reports: https://sms.example/carriers/at/WEBHOOKTOKEN')
    expect(out).toContain('Incoming Messages: https://sms.example/carriers/at/inbound/WEBHOOKTOKEN')
    expect(out).toContain('- Calls are not signed')
    expect(out).toContain('posthorn carrier add --id at --provider africastalking')
  })

  test('carrier add copies the settings, makes the token, and shows the addresses once', async () => {
    const { exitCode, out } = await add(`--answer username=shopapp --answer apiKey=${API_KEY}`)
    expect(exitCode).toBe(0)
    const { constants, secrets, provider } = await settings()
    expect(constants).toEqual({ username: 'shopapp', host: 'api.africastalking.com' })
    expect(secrets).toEqual({ apiKey: API_KEY, webhookToken: expect.stringMatching(/^[\w-]{32}$/) })
    expect(provider).toEqual({ name: 'africastalking', version: 1 })
    expect(out).toContain(
      `1. SMS, SMS Callback URLs, Delivery Reports: https://sms.example/carriers/at/${secrets['webhookToken']}`,
    )
    const list = await line.run(['carrier', 'list', '--json'])
    expect(JSON.parse(list.out).data[0].provider).toEqual({ name: 'africastalking', version: 1 })
    for (const words of ['carrier show --id at --json', 'audit list --json', 'config export --json']) {
      expect((await line.run(words.split(' '))).out).not.toMatch(new RegExp(`${API_KEY}|${secrets['webhookToken']}`))
    }
  })

  test('carrier add asks a user at the terminal for what is missing, secrets without echo', async () => {
    const asked: (readonly [string, boolean])[] = []
    line.onAsked = async (question, isHidden) => {
      asked.push([question.split(' (')[0] ?? '', isHidden])
      return isHidden ? ` ${API_KEY} ` : 'shopapp'
    }
    expect(await add('--no-route')).toMatchObject({ exitCode: 0 })
    expect(asked).toEqual([
      ['Username', false],
      ['API key', true],
    ])
    expect((await settings()).secrets['apiKey']).toBe(API_KEY)
  })

  test('carrier add reads answers from standard input, and does not ask then', async () => {
    line.onAsked = () => Promise.reject(new Error('asked'))
    expect(await add('--answers -', '{"username":"shopapp"}')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^error: --answer or --answers: missing\n {2}apiKey: API key\. Settings, API Key/),
    })
    expect(await add('--answers -', JSON.stringify(ANSWERS))).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['--no-route', 2, /^error: --answer or --answers: missing\n {2}username: Username\. .*\n {2}apiKey: API key\. /],
    ['--answer username=a/b --answer apiKey=x', 2, /^error: answer username: must be letters, digits, dots and dash/],
    ['--answer username=a --answer apiKey={{x}}', 2, /^error: answer apiKey: must be text of at most 4096 charac/],
    [
      '--answer username=a --answer apiKey=x --answer hots=y',
      2,
      /^error: answer hots: is not asked; did you mean host/,
    ],
    ['--answer usernam=a', 2, /^error: answer usernam: is not asked; did you mean username\?\n$/],
    ['--answer username', 2, /^error: --answer: must be name=value\n$/],
    ['--set window=3', 2, /^error: --settings and --set: not with --provider; /],
    ['--kind smpp --answer username=a --answer apiKey=x', 2, /^error: --kind: must be http with a provider\n$/],
    ['--channel rcs --answer username=a --answer apiKey=x', 2, /^error: --channel: must be sms with africastalking\n$/],
    ['--provider unheard', 1, /^error: there is no provider unheard\n$/],
    ['--provider twilo', 1, /^error: there is no provider twilo; did you mean twilio\?\n$/],
  ])('refuses %s and adds nothing', async (words, exitCode, err) => {
    expect(await add(words)).toEqual({ exitCode, out: '', err: expect.stringMatching(err) })
    expect((await line.directory()).carriers).toEqual([])
  })

  test('the same provider again takes its new version and keeps the answers that are not given', async () => {
    await add(`--answer username=shopapp --answer apiKey=${API_KEY}`)
    const before = await settings()
    await line.ask('carrier set --id at --set window=3'.split(' '))
    expect(await add('--no-route')).toMatchObject({ exitCode: 0, out: expect.stringContaining('Removed settings') })
    expect(await settings()).toEqual(before)
  })

  test('carrier set changes one answer by the rules of the provider, and keeps the others', async () => {
    await add(`--answer username=shopapp --answer apiKey=${API_KEY}`)
    const before = await settings()
    const set = (words: string, input = '') => line.run(['carrier', 'set', '--id', 'at', ...words.split(' ')], input)
    expect(await set('--answer username=other')).toMatchObject({ exitCode: 0 })
    expect(await settings()).toEqual({ ...before, constants: { ...before.constants, username: 'other' } })
    expect(await set('--answers -', '{"apiKey":"new_key"}')).toMatchObject({ exitCode: 0 })
    expect((await settings()).secrets).toEqual({ ...before.secrets, apiKey: 'new_key' })
    const wrong = await set('--answer username=a/b --answer hots=x')
    expect(wrong).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/answer hots: is not asked; did you mean host/),
    })
    expect(wrong.err).toMatch(/answer username: must be letters, digits, dots and dashes/)
    expect(await set('--answer host=api.sandbox.africastalking.com')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^error: answer apiKey: .*changed: give the secret itself/),
    })
  })

  test('another host needs the key again, and not the token that Posthorn made', async () => {
    await add(`--answer username=shopapp --answer apiKey=${API_KEY}`)
    const { secrets } = await settings()
    const words = '--answer host=api.sandbox.africastalking.com --answers -'
    const set = await line.run(['carrier', 'set', '--id', 'at', ...words.split(' ')], '{"apiKey":"new_key"}')
    expect(set).toMatchObject({
      err: '',
      out: 'Carrier at has now:\n  apiKey: "<kept>"\n  host: "api.sandbox.africastalking.com"\n',
    })
    expect((await settings()).secrets).toEqual({ ...secrets, apiKey: 'new_key' })
    const again = await add('--no-route')
    expect(again.out).toContain(`/carriers/at/${secrets['webhookToken']}`)
    expect(again.out).toContain('Set the same POSTHORN_PUBLIC_URL for the gateway')
  })

  test('does not send a kept key to another host', async () => {
    await add(`--answer username=sandbox --answer apiKey=${API_KEY}`)
    const before = await settings()
    const { exitCode, err } = await add('--answer host=api.sandbox.africastalking.com')
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/secrets\.apiKey.*give the secret/),
    })
    expect(await settings()).toEqual(before)
  })

  test('a carrier without provider and kind is refused', async () => {
    expect(await line.run('carrier add --id x --set a=b'.split(' '))).toMatchObject({
      exitCode: 2,
      err: 'error: --kind or --provider: one of them is required\n',
    })
  })
})

describe('over the admin API', () => {
  let world: SandboxWorld
  beforeEach(async () => {
    world = await SandboxWorld.start()
  })
  afterEach(() => world.stop())

  test('a provider is shown with its questions, and added by their answers', async () => {
    const shown = await world.askAdmin('GET', '/providers/africastalking?carrier=at')
    expect(shown.body).toMatchObject({ provider: 'africastalking', status: 'verified' })
    expect(shown.body['questions']).toContainEqual(
      expect.objectContaining({ name: 'apiKey', secret: true, required: true, default: null }),
    )
    const body = { provider: 'africastalking', answers: ANSWERS, route: null, new: true }
    const added = await world.askAdmin('PUT', '/carriers/at', { body })
    expect(added).toMatchObject({ status: 200, body: { kind: 'http', channel: 'sms' } })
    expect(JSON.stringify(added.body['set_up'])).toMatch(/\/carriers\/at\/inbound\/[\w-]{32}/)
    const again = await world.askAdmin('GET', '/providers/africastalking?carrier=at')
    expect(again.body['questions']).toContainEqual(expect.objectContaining({ name: 'apiKey', required: false }))
    const carrier = await world.askAdmin('GET', '/carriers/at')
    expect(carrier.body).toMatchObject({
      settings: { request: { headers: { accept: 'application/json' }, form: { bulkSMSMode: '1' } } },
      webhooks: [
        { calls: 'receipts', address: 'PUBLIC_URL/carriers/at/TOKEN' },
        { calls: 'inbound', address: 'PUBLIC_URL/carriers/at/inbound/TOKEN' },
      ],
    })
    expect((await world.askAdmin('GET', '/carriers/sandbox-chat')).body).toMatchObject({
      webhooks: [{ calls: 'all', address: 'PUBLIC_URL/carriers/sandbox-chat/TOKEN' }],
    })
    expect((await world.askAdmin('GET', '/carriers/sandbox-sms')).body).toMatchObject({ webhooks: [] })
  })

  test('a provider whose calls are signed with their address is refused without a public address', async () => {
    const answers = { accountSid: `AC${'0'.repeat(32)}`, authToken: '0'.repeat(32) }
    const body = { provider: 'twilio', answers, route: null }
    expect(await world.askAdmin('PUT', '/carriers/tw', { body })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('needs POSTHORN_PUBLIC_URL') },
    })
  })

  test('a hidden text is not shown by naming a provider', async () => {
    const request = { address: 'https://a.example/send', form: { p: 'hunter2', text: '{{text}}' } }
    const body = { kind: 'http', channel: 'sms', route: null, settings: { request, answer: { id: 'ours' } } }
    await world.askAdmin('PUT', '/carriers/up', { body })
    const patch = { settings: { provider: { name: 'twilio', version: 1 } } }
    expect(await world.askAdmin('PATCH', '/carriers/up/settings', { body: patch })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'settings.request.form.p', detail: 'provider changed: give the secret itself' }] },
    })
    expect(JSON.stringify((await world.askAdmin('GET', '/carriers/up')).body)).not.toContain('hunter2')
  })

  test('a balance is asked for only where the settings say how', async () => {
    const ask = (id: string) => world.askAdmin('POST', `/carriers/${id}/balance`)
    expect(await ask('sandbox-sms')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('no setting') },
    })
    expect(await ask('none')).toMatchObject({ status: 404 })
  })

  test.each<[string, object, readonly object[]]>([
    ['missing answers', { provider: 'africastalking' }, [{ field: 'answers.username' }, { field: 'answers.apiKey' }]],
    ['settings beside a provider', { provider: 'africastalking', settings: {} }, [{ field: 'settings' }]],
    ['answers without a provider', { kind: 'http', settings: {}, answers: {} }, [{ field: 'answers' }]],
    ['neither kind nor provider', { settings: {} }, [{ field: 'kind' }]],
    ['no settings', { kind: 'smpp' }, [{ field: 'settings' }]],
  ])('refuses %s, naming each', async (_what, body, errors) => {
    const { status, body: problem } = await world.askAdmin('PUT', '/carriers/at', { body })
    expect(status).toBe(422)
    expect(problem['errors']).toMatchObject(errors)
  })
})

describe('a question at a terminal', () => {
  const streams = () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    return { input, output, printed: () => String(output.read() ?? '') }
  }

  test('echoes what is typed', async () => {
    const { input, output, printed } = streams()
    const answer = askLine({ input, output }, 'Name: ', false)
    input.write('shop\r')
    expect(await answer).toBe('shop')
    expect(printed()).toMatch(/Name: .*s.*h.*o.*p/s)
  })

  test('does not echo a secret', async () => {
    const { input, output, printed } = streams()
    const answer = askLine({ input, output }, 'Key: ', true)
    input.write('hidden\r')
    expect(await answer).toBe('hidden')
    expect(printed()).toBe('Key: \n')
  })

  test('is cancelled by Ctrl-C and by the end of the input', async () => {
    const { input, output } = streams()
    const first = askLine({ input, output }, 'Key: ', true)
    input.write('\x03')
    await expect(first).rejects.toThrow('cancelled')
    const second = askLine({ input, output }, 'Name: ', false)
    input.end()
    await expect(second).rejects.toThrow('cancelled')
  })
})
