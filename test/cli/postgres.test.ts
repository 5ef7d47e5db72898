/**
 * The program on a PostgreSQL database: commands, gateways as processes of their own beside each other, and no
 * password.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChildProgram } from '../support/child-program.ts'
import { CommandLine, splitWords } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import type { TestDatabase } from '../support/postgres-databases.ts'
import { freePort, Relay } from '../support/relay.ts'
import { usePostgres } from '../support/use-postgres.ts'

const QUIET = ['--port', '0', '--admin-port', '0', '--json', '--log-level', 'warn']

const postgres = await usePostgres()

describe.skipIf(postgres.isMissing)('on PostgreSQL', () => {
  let database: TestDatabase
  let line: CommandLine
  let programs: ChildProgram[]
  beforeEach(async () => {
    database = await postgres.takeDatabase({ isNew: true })
    line = new CommandLine({ initialized: false })
    line.environment = { POSTHORN_DATABASE: database.url }
    programs = []
  })
  afterEach(async () => {
    for (const program of programs) program.end()
    for (const program of programs) await program.ended()
    line.close()
    await database.giveBack()
  })

  const start = (command: string): ChildProgram => {
    const program = new ChildProgram([command, ...QUIET], { POSTHORN_DATA_DIR: line.dataDir, ...line.environment })
    programs.push(program)
    return program
  }
  const secrets = () => [database.url, new URL(database.url).password]
  const expectNoSecrets = (...texts: readonly string[]) => {
    for (const secret of secrets()) expect(texts.join('\n')).not.toContain(secret)
  }

  it('delivers, stops, and goes on where it stopped, beside commands and a second gateway', async () => {
    const sandbox = start('sandbox')
    const { curl = '', address = '' } = await sandbox.firstAnswer()
    const beside = start('serve')
    expect(await beside.firstAnswer()).toMatchObject({ address: expect.stringMatching(/^http/) })
    const words = splitWords(curl)
    const request = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = words[words.indexOf('-d') + 1] ?? ''
    const answer = await fetch(`${address}/api/json.php`, { ...request, body })
    const { data } = (await answer.json()) as {
      readonly data: readonly { readonly data: { readonly msg_id: number } }[]
    }
    const id = String(data[0]?.data.msg_id)
    await eventually('the message to be delivered', async () => {
      return (await line.ask(['trace', id]))['status'] === 'DELIVERED'
    })
    expect(await line.ask(['ledger', 'verify'])).toEqual({ faults: [] })
    for (const program of [beside, sandbox]) {
      program.signal('SIGTERM')
      expect(await program.ended()).toBe(0)
    }
    expect(await database.query('SELECT node FROM node')).toEqual([])
    const again = start('serve')
    await again.firstAnswer()
    expect((await line.ask(['trace', id]))['status']).toBe('DELIVERED')
    again.signal('SIGTERM')
    expect(await again.ended()).toBe(0)
    expectNoSecrets(...programs.flatMap(({ out, err }) => [out, err]))
  }, 60_000)

  it('changes its key once every machine has the new one, and erases phones', async () => {
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    const keyFile = join(line.dataDir, 'secret.key')
    const old = readFileSync(keyFile, 'utf8')
    const gateway = start('serve')
    await gateway.firstAnswer()
    expect(await line.run(['secret-key', 'rotate'])).toMatchObject({
      err: `error: put a new key in front of the others in ${keyFile}, on every machine, and run this again\n`,
    })
    expect(readFileSync(keyFile, 'utf8')).toBe(old)
    writeFileSync(keyFile, `${'cd'.repeat(32)}\n${old}`)
    const { key, before } = await line.ask(['secret-key', 'rotate'])
    expect(await line.ask(['secret-key', 'reseal'])).toMatchObject({ unneeded: [before] })
    await line.ask(['secret-key', 'remove', String(before)])
    expect(await line.ask(['secret-key', 'list'])).toMatchObject({ keys: [{ key, is_here: true, seals: true }] })
    expect(await line.ask(['account', 'list'])).toMatchObject({ data: [{ name: 'Shop' }] })
    expect(await line.ask(['forget', '37120000100', '--yes'])).toMatchObject({ messages: 0, leftovers: 'server' })
    gateway.signal('SIGTERM')
    expect(await gateway.ended()).toBe(0)
  }, 60_000)

  it('is created by init, and needs its key from then on', async () => {
    const none = await line.run(['account', 'list'])
    expect(none).toMatchObject({ exitCode: 1, err: expect.stringMatching(/no installation in the database .*test_\d/) })
    expect(await line.ask(['init'])).toMatchObject({ created: true })
    await line.ask(['account', 'create', '--name', 'Shop'])
    const elsewhere = await line.run(['account', 'list', '--data-dir', line.path('elsewhere')])
    expect(elsewhere).toMatchObject({ exitCode: 1, err: expect.stringMatching(/key file .* is missing/) })
    expect((await line.run(['account', 'list'])).out).toContain('Shop')
    expectNoSecrets(none.err, elsewhere.err)
  })

  it('is migrated by a command of its own, and not spread where there is no Citus', async () => {
    expect(await line.ask(['migrate'])).toEqual({ migrated: null, distributed: [] })
    expect(await database.query('SELECT count(*)::int AS nodes FROM node')).toEqual([{ nodes: 0 }])
    expect(await line.run(['migrate', '--citus'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/Citus is not installed/),
    })
    line.environment = {}
    expect(await line.run(['migrate', '--citus'])).toMatchObject({ exitCode: 2 })
  })

  it('works where its user may not change tables, once the owner has made them and granted what the page on clusters names', async () => {
    const page = readFileSync(new URL('../../docs/operations/cluster.md', import.meta.url), 'utf8')
    const name = `worker_${new URL(database.url).pathname.slice(1)}`
    const grants = [...page.matchAll(/^(?:GRANT|ALTER DEFAULT PRIVILEGES) .*;$/gm)].map(([grant]) =>
      grant.replace('TO posthorn;', `TO ${name};`),
    )
    await database.query(`CREATE ROLE ${name} LOGIN PASSWORD 'sesame'`)
    const worker = new URL(database.url)
    worker.username = name
    worker.password = 'sesame'
    const create = ['init', '--database', worker.href]
    const advice = {
      exitCode: 1,
      err: expect.stringMatching(/permission denied .*; have the owner .* run posthorn migrate/),
    }
    expect(await line.run(create)).toMatchObject(advice)
    await line.ask(['migrate'])
    expect(await line.run(create)).toMatchObject(advice)
    for (const grant of grants) await database.query(grant)
    expect(await line.run(create)).toMatchObject({ exitCode: 0 })
    await database.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
  })

  it('waits for a database that is away: alive, not ready, and at work once it answers', async () => {
    await line.ask(['init'])
    await line.ask(['account', 'create', '--name', 'Shop'])
    const publicPort = await freePort()
    const server = new URL(database.url)
    const relay = new Relay(Number(server.port))
    server.port = String(await relay.reserve())
    const adminPort = await freePort()
    const program = new ChildProgram(
      ['serve', '--port', String(publicPort), '--admin-port', String(adminPort), '--json', '--log-level', 'warn'],
      { POSTHORN_DATA_DIR: line.dataDir, POSTHORN_DATABASE: server.href },
    )
    programs.push(program)
    const ask = (path: string) => fetch(`http://127.0.0.1:${adminPort}${path}`).catch(() => null)
    await eventually('the gateway to say that it waits', async () => {
      const answer = await ask('/readyz')
      return answer?.status === 503 && (await answer.text()).includes('ECONNREFUSED')
    })
    expect((await ask('/healthz'))?.status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${publicPort}/healthz`)).rejects.toThrow()
    for (const path of ['/admin/v1/accounts/1', '/admin/v1/nowhere', '/metrics', '/carriers', '/']) {
      const answer = await ask(path)
      expect([path, answer?.status, answer?.headers.get('retry-after')]).toEqual([path, 503, '1'])
      expect(answer?.headers.get('content-type')).toBe('application/problem+json')
      const detail = expect.stringMatching(/^the gateway is not ready: .*ECONNREFUSED/)
      expect(await answer?.json()).toEqual({ type: 'about:blank', title: 'Unavailable', status: 503, detail })
    }
    line.environment = { ...line.environment, POSTHORN_TOKEN: 'ph_admin_x' }
    const remote = ['--server', `http://127.0.0.1:${adminPort}`]
    for (const command of [
      ['account', 'show', '--account', '1'],
      ['account', 'create', '--name', 'Shop'],
      ['carrier', 'list'],
    ]) {
      const refused = {
        exitCode: 1,
        err: expect.stringMatching(/^error: the gateway is not ready: .*connection refused/),
      }
      expect(await line.run([...command, ...remote])).toMatchObject(refused)
    }
    const health = ['health', '--port', String(publicPort), '--admin-port', String(adminPort)]
    expect(await line.run(health)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^admin port: ok\npublic port: closed, not ready: .*ECONNREFUSED/),
    })
    expect(await line.run([...health, '--ready'])).toMatchObject({ exitCode: 1 })
    await relay.open()
    await program.firstAnswer()
    expect(await line.run([...health, '--ready'])).toMatchObject({ exitCode: 0 })
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    await relay.close()
    expect(program.err.match(/waiting for the database/g)).toHaveLength(1)
    expectNoSecrets(program.err)
  }, 60_000)

  it('stops cleanly while it waits, and fails at once on a wrong password', async () => {
    await line.ask(['init'])
    const away = new ChildProgram(['serve', ...QUIET, '--database', 'postgres://me@127.0.0.1:1/x'], {
      POSTHORN_DATA_DIR: line.dataDir,
    })
    programs.push(away)
    await eventually('the gateway to wait', async () => away.err.includes('waiting for the database'))
    away.signal('SIGTERM')
    expect(await away.ended()).toBe(0)
    const wrong = new URL(database.url)
    wrong.password = 'guess'
    const refused = new ChildProgram(['serve', ...QUIET], {
      POSTHORN_DATA_DIR: line.dataDir,
      POSTHORN_DATABASE: wrong.href,
    })
    programs.push(refused)
    expect(await refused.ended()).toBe(1)
    expect(refused.err).toMatch(/^error: cannot open the database: [^\n]*password authentication failed[^\n]*\n$/)
  }, 60_000)

  it('says what is wrong with an address or a server, and never the password', async () => {
    const wrong = new URL(database.url)
    wrong.password = 'guess'
    const addresses = [
      'mysql://me:guess@host/x',
      'postgres://me:guess@127.0.0.1:1/x',
      wrong.href,
      'postgres://me:gu ess@@h:99999999/x',
      'postgres://me:gu#ess@127.0.0.1/x',
      'postgres://me:gu/ess@127.0.0.1/x',
      'postgres://me:gu?ess@127.0.0.1/x',
    ]
    const answers = await Promise.all(addresses.map((address) => line.run(['account', 'list', '--database', address])))
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([2, 1, 1, 1, 2, 2, 2])
    expect(answers.map(({ err }) => err).join('')).not.toMatch(/gu[ #/?]?ess|me:gu/)
    expect(answers.map(({ err }) => err.trim().split('\n').length)).toEqual(addresses.map(() => 1))
  })
})
