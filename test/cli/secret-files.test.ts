/** Secret settings can be in files, as container platforms provide them: POSTHORN_TOKEN_FILE for POSTHORN_TOKEN. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FILE_VARIABLES, readConfig, unknownVariables } from '../../src/app/settings/config.ts'
import { CommandLine } from '../support/command-line.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const file = (text: string | Uint8Array, name = 'secret') => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('every secret setting is read from its file', () => {
  const values = {
    database: 'postgres://posthorn:p%2Fw@db/posthorn',
    sandboxKey: 'sandbox-key',
    token: 'operator-token',
    metricsToken: 'metrics-token',
    smtpUrl: 'smtps://user:word@mail.example.com',
    ssoClientSecret: 'client-secret',
  }
  const environment = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const variable = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
      return [`POSTHORN_${variable}_FILE`, file(`${value}\n`, name)]
    }),
  )
  expect(Object.keys(environment).sort()).toEqual([...FILE_VARIABLES].sort())
  expect(readConfig({}, environment)).toMatchObject(values)
  expect(unknownVariables(environment)).toEqual([])
})

test('one newline at the end is cut, other spaces belong to the secret', () => {
  const key = (text: string) => readConfig({}, { POSTHORN_SANDBOX_KEY_FILE: file(text) }).sandboxKey
  expect(key('abc')).toBe('abc')
  expect(key('abc\r\n')).toBe('abc')
  expect(key(' abc \n\n')).toBe(' abc \n')
})

test.each(['TOKEN', 'METRICS_TOKEN'])('a %s of several lines is refused without being repeated', (name) => {
  const variable = `POSTHORN_${name}_FILE`
  const read = () => readConfig({}, { [variable]: file('hunter2\nhunter3\n') })
  expect(read).toThrow(`${variable}: must be one line without spaces, of printable ASCII characters`)
  expect(read).not.toThrow('hunter')
})

test('a link is followed, as Kubernetes mounts its secrets', () => {
  const link = join(folder, 'link')
  symlinkSync(file('linked\n'), link)
  expect(readConfig({}, { POSTHORN_TOKEN_FILE: link }).token).toBe('linked')
})

test('a flag takes precedence, and an empty variable counts as unset', () => {
  const path = file('postgres://file/name')
  expect(readConfig({ database: 'postgres://flag/name' }, { POSTHORN_DATABASE_FILE: path }).database).toBe(
    'postgres://flag/name',
  )
  expect(readConfig({}, { POSTHORN_DATABASE: '', POSTHORN_DATABASE_FILE: path }).database).toBe('postgres://file/name')
  expect(readConfig({}, { POSTHORN_DATABASE: 'postgres://a/b', POSTHORN_DATABASE_FILE: '' }).database).toBe(
    'postgres://a/b',
  )
})

test('settings that are not secret have no file', () => {
  expect(unknownVariables({ POSTHORN_PORT_FILE: '/x' })).toEqual([{ variable: 'POSTHORN_PORT_FILE', nearest: null }])
})

describe('a command refuses, in one line without the secret,', () => {
  test.each([
    ['a missing file', () => join(folder, 'none'), 'there is no file PATH'],
    ['an empty file', () => file('\n'), 'PATH is empty'],
    ['a folder', () => folder, 'PATH is not a file'],
    ['a file that is too long', () => file('hunter2'.repeat(10_000)), 'PATH has more than 65536 bytes'],
    ['bytes that are no text', () => file(new Uint8Array([104, 255, 254])), 'PATH is not UTF-8 text'],
    [
      'an invalid value',
      () => file('hunter2'),
      'must be like smtp://user:password@mail.example.com:587, or begin with smtps://',
    ],
  ])('%s', async (_what, make, sentence) => {
    const line = new CommandLine()
    await line.init()
    const path = make()
    line.environment = { POSTHORN_SMTP_URL_FILE: path }
    expect(await line.run(['account', 'list'])).toEqual({
      exitCode: 2,
      out: '',
      err: `error: POSTHORN_SMTP_URL_FILE: ${sentence.replace('PATH', path)}\n`,
    })
    line.close()
  })

  test('a value beside its file', async () => {
    const line = new CommandLine()
    await line.init()
    line.environment = { POSTHORN_TOKEN: 'a', POSTHORN_TOKEN_FILE: file('b') }
    expect(await line.run(['account', 'list'])).toEqual({
      exitCode: 2,
      out: '',
      err: 'error: POSTHORN_TOKEN and POSTHORN_TOKEN_FILE: set only one of them\n',
    })
    line.close()
  })
})

test('a pipe is refused before it is opened, because its writer may never come', () => {
  const pipe = join(folder, 'pipe')
  spawnSync('mkfifo', [pipe])
  expect(() => readConfig({}, { POSTHORN_TOKEN_FILE: pipe })).toThrow(`POSTHORN_TOKEN_FILE: ${pipe} is not a file`)
})

test('the page on settings lists the files', () => {
  const page = readFileSync(new URL('../../docs/operations/operating.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (POSTHORN_\w+_FILE) \|/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual([...FILE_VARIABLES, 'POSTHORN_SECRET_KEY_FILE'].sort())
})
