/** Errors of the system and of databases reach operators as one sentence: what is wrong, and what to do. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { explainSystemError } from '../../src/cli/command/system-errors.ts'
import { CommandLine } from '../support/command-line.ts'

let line: CommandLine

beforeEach(() => {
  line = new CommandLine()
})
afterEach(() => line.close())

/** As Node, SQLite and PostgreSQL word them. */
const SAID: readonly (readonly [said: string, plain: RegExp])[] = [
  ["ENOENT: no such file or directory, open '/nope.csv'", /^\/nope\.csv: no such file or folder; check the path$/],
  ["ENOTDIR: not a directory, open '/a/b'", /^\/a\/b: part of the path is a file, not a folder; /],
  ["EISDIR: illegal operation on a directory, open '/a'", /^\/a: a folder, not a file; name a file$/],
  ['EISDIR: illegal operation on a directory, read', /^a folder, not a file; name a file$/],
  ["EACCES: permission denied, mkdir '/var/lib/it's'", /^\/var\/lib\/it's: permission denied; run the command as /],
  ["cannot open /d/posthorn.db: EPERM: operation not permitted, open '/d/posthorn.db'", /\.db: permission denied; /],
  ["EROFS: read-only file system, mkdir '/data'", /^\/data: the file system is read-only; mount it writable/],
  ["ENOSPC: no space left on device, open '/data/x'", /^\/data\/x: no space left on the disk; free some space/],
  ['ENOSPC: no space left on device, write', /^no space left on the disk; free some space/],
  ["EMFILE: too many open files, open '/data/x'", /^\/data\/x: too many open files; raise the limit: ulimit -n/],
  ['listen EACCES: permission denied 0.0.0.0:80', /^0\.0\.0\.0:80: this user may not listen on this port; choose/],
  ['listen EADDRINUSE: address already in use :::8080', /^:::8080: another process listens on this port; stop it/],
  ['listen EADDRNOTAVAIL: address not available 203.0.113.9:80', /not an address of this machine; correct --host/],
  ['cannot open the database: db: getaddrinfo ENOTFOUND db', /the name db cannot be resolved; correct the name/],
  ['no answer from http://h/healthz: connect ETIMEDOUT 10.0.0.1:80', /10\.0\.0\.1:80 cannot be reached; check /],
  ['cannot open /d/posthorn.db: unable to open database file', /; check that its folder exists and that this user/],
  ['attempt to write a readonly database', /^the database file is read-only; run the command as the user/],
  ['database or disk is full', /^no space left on the disk; free some space/],
  ['cannot open the database: h: password authentication failed for user "u"', /; set the right password in PGPASSW/],
  ['h: no pg_hba.conf entry for host "10.0.0.1", user "u"', /; add a line for this user and address to pg_hba\.conf/],
  [
    'h: no pg_hba.conf entry for host "::1", user "u", no encryption',
    /; if the server admits only TLS connections, add /,
  ],
  [
    'cannot open the database: h: unable to get local issuer certificate',
    /not trusted \(.+\); .+ add \?sslmode=verify-full&/,
  ],
  [
    'https://h cannot be reached: self-signed certificate',
    /not trusted \(.+\); .+: NODE_EXTRA_CA_CERTS=\/path\/ca\.crt$/,
  ],
  ['h: The server does not support SSL connections', /^h: the server does not support TLS; switch it on there/],
]

test.each(SAID)('%s', (said, plain) => {
  expect(explainSystemError(said)).toMatch(plain)
})

test('other sentences are left alone', () => {
  expect(explainSystemError('there is no account 7')).toBe('there is no account 7')
})

/** Fails, with one sentence that has none of the system's words. */
async function failureOf(...words: readonly string[]): Promise<string> {
  const { exitCode, out, err } = await line.run(words)
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  expect(err).toMatch(/^error: [^\n]+; [^\n]+\n$/)
  expect(err).not.toMatch(/\bE[A-Z]{4,}\b|syscall/)
  return err
}

test('a file that is missing, or is a folder', async () => {
  expect(await failureOf('tariff', 'import', '/nope.csv', '--currency', 'EUR')).toMatch(/\/nope\.csv: no such file/)
  expect(await failureOf('tariff', 'import', line.dataDir, '--currency', 'EUR')).toMatch(/a folder, not a file/)
})

test('a data folder that is a file', async () => {
  writeFileSync(line.path('file'), '')
  for (const dataDir of [line.path('file'), line.path('file/sub')]) {
    const { exitCode, err } = await line.run(['init', '--data-dir', dataDir])
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: `error: ${line.path('file')} must be a folder, but is a file\n`,
    })
  }
})

test('a database file that is none', async () => {
  await line.init()
  mkdirSync(line.path('other'))
  writeFileSync(line.path('other/posthorn.db'), 'garbage, and more of it')
  const key = `${line.dataDir}/secret.key`
  const words = ['account', 'list', '--data-dir', line.path('other'), '--secret-key-file', key]
  expect(await failureOf(...words)).toMatch(/file is not a database; restore a backup/)
})

test('a port that is taken', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const words = ['serve', '--admin-port', String(port), '--port', '0', '--log-level', 'silent']
  expect(await failureOf(...words)).toMatch(
    /127\.0\.0\.1:\d+: another process listens on this port; stop it, or choose/,
  )
  await new Promise((resolve) => void server.close(resolve))
})

test('a database and a gateway that do not listen', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => void server.close(resolve))
  const refused = /connection refused by 127\.0\.0\.1:\d+; start the server there/
  expect(await failureOf('account', 'list', '--database', `postgres://u@127.0.0.1:${port}/x`)).toMatch(refused)
  line.environment = { POSTHORN_TOKEN: 'ph_admin_x' }
  expect(await failureOf('account', 'list', '--server', `http://127.0.0.1:${port}`)).toMatch(refused)
})

test.skipIf(!existsSync('/dev/full'))('output to a full disk fails with the cause', () => {
  const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const stdio = ['ignore', openSync('/dev/full', 'w'), 'pipe'] as const
  const { status, stderr } = spawnSync(process.execPath, [program, 'open-api'], { encoding: 'utf8', stdio: [...stdio] })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'error: standard output: no space left on the disk; free some space, or raise the quota, and try again\n',
  })
})
