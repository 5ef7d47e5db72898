/** A PostgreSQL server that accepts only TLS connections, as deploy/patroni.yml configures it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_CERTIFICATE_KEY } from '../support/loopback-certificate.ts'
import { whyPostgresIsMissing } from '../support/postgres-programs.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

describe.skipIf((await whyPostgresIsMissing()) !== null)('a database server that accepts only TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-tls-'))
  const authority = join(folder, 'ca.crt')
  let server: PostgresServer
  let line: CommandLine

  beforeAll(async () => {
    writeFileSync(authority, LOOPBACK_CERTIFICATE)
    server = await startPostgres()
    await admitTlsAlone(server)
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  }, 60_000)
  beforeEach(() => {
    line = new CommandLine({ initialized: false })
  })
  afterEach(() => line.close())

  const init = (query: string, host = '127.0.0.1') =>
    line.run(['init', '--database', `${server.urlOf('postgres').replace('127.0.0.1', host)}${query}`])

  it('refuses a connection without TLS, and the error names the setting', async () => {
    const { exitCode, err } = await init('')
    expect(exitCode).toBe(1)
    expect(err).toMatch(/^error: cannot open the database: 127\.0\.0\.1:\d+: no pg_hba\.conf entry [^\n]+\n$/)
    expect(err).toContain('add ?sslmode=verify-full&sslrootcert=/path/ca.crt to --database')
  })

  it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
    'sslmode=%s verifies the certificate, without a warning of the driver',
    async (mode) => {
      const warnings: string[] = []
      const note = (warning: Error) => void warnings.push(warning.message)
      process.on('warning', note)
      const { exitCode, err } = await init(`?sslmode=${mode}`)
      process.off('warning', note)
      expect({ exitCode, warnings }).toEqual({ exitCode: 1, warnings: [] })
      expect(err).toMatch(
        /^error: cannot open the database: 127\.0\.0\.1:\d+: the server's certificate is not trusted \(self-signed certificate\); [^\n]+\n$/,
      )
      expect(err).toContain('sslrootcert=/path/ca.crt')
      expect(err).not.toContain('Node.js')
    },
  )

  it('refuses a server whose certificate is for another name', async () => {
    const { exitCode, err } = await init(`?sslmode=verify-full&sslrootcert=${authority}`, 'localhost')
    expect(exitCode).toBe(1)
    expect(err).toMatch(/: the server's certificate is for another name \([^\n]+\); name the server as its certificate/)
  })

  it('does not wait for a certificate file that is missing', async () => {
    const database = `${server.urlOf('postgres')}?sslmode=verify-full&sslrootcert=/nope.crt`
    const { exitCode, err } = await line.run(['serve', '--port', '0', '--admin-port', '0', '--database', database])
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(/: \/nope\.crt: no such file or folder; check the path\n$/),
    })
  })

  it('accepts clients that name its certificate authority', async () => {
    for (const mode of ['verify-full', 'require']) {
      expect(await init(`?sslmode=${mode}&sslrootcert=${authority}`)).toMatchObject({ exitCode: 0, err: '' })
    }
  })
})

/** The server itself writes the files, so that its system user owns them. */
async function admitTlsAlone(server: PostgresServer): Promise<void> {
  const ask = (sql: string) => server.query('postgres', sql)
  const write = (name: string, text: string) =>
    ask(`COPY (SELECT unnest(string_to_array('${text.trim()}', E'\\n'))) TO '${join(server.folder, 'data', name)}'`)
  await write('server.crt', LOOPBACK_CERTIFICATE)
  await write('server.key', LOOPBACK_CERTIFICATE_KEY)
  execFileSync('chmod', ['600', join(server.folder, 'data', 'server.key')])
  await ask('ALTER SYSTEM SET ssl = on')
  await write('pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\nhostssl all all ::1/128 scram-sha-256')
  await ask('SELECT pg_reload_conf()')
  await eventually('connections without TLS to be refused', () =>
    ask('SELECT 1').then(
      () => false,
      (error: Error) => error.message.includes('pg_hba.conf'),
    ),
  )
}
