/** The files that others run Posthorn with name what there is. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FILE_VARIABLES, SETTINGS } from '../../src/app/settings/config.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'deploy')
/** The key comes from the environment alone, so no table of settings has it. */
const KNOWN = new Set([...SETTINGS.map(({ env }) => env), ...FILE_VARIABLES, 'POSTHORN_SECRET_KEY'])

const FILES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((each) => (each.isFile() ? [each.name] : []))

describe.each(FILES)('deploy/%s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8')

  test('has settings that there are', () => {
    const named = text.match(/\bPOSTHORN_[A-Z_]+/g) ?? []
    expect(named.filter((each) => !KNOWN.has(each))).toEqual([])
  })

  test('is named by the page on clusters', () => {
    const page = readFileSync(join(FOLDER, '..', 'docs', 'operations', 'cluster.md'), 'utf8')
    expect(page).toContain(`deploy/${name}`)
  })
})

const read = (path: string) => readFileSync(join(FOLDER, '..', path), 'utf8')

describe('what runs in production', () => {
  test('the unit confines the gateway and is started again without limit', () => {
    const unit = read('deploy/posthorn.service')
    for (const line of [
      'StartLimitIntervalSec=0',
      'UMask=0077',
      'NoNewPrivileges=true',
      'CapabilityBoundingSet=',
      'SystemCallFilter=@system-service',
      'ProtectSystem=strict',
      // A gateway with a wrong setting is not.
      'RestartPreventExitStatus=2',
      'Wants=network-online.target posthorn-health.timer',
    ]) {
      expect(unit.split('\n')).toContain(line)
    }
  })

  test('the unit reaches the database over TLS, as Patroni wants it', () => {
    expect(read('deploy/posthorn.service')).toMatch(/^#\s+POSTHORN_DATABASE=\S+\?sslmode=verify-full&sslrootcert=\S+$/m)
  })

  describe('the health check', () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'posthorn-health-'))
      const program = (name: string, line: string) =>
        writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} $* >> ${folder}/calls\n${line}\n`, { mode: 0o755 })
      program('posthorn', `exit $(cat ${folder}/code)`)
      program('systemctl', '')
      program('sleep', '')
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    /** The command of a line of the unit, as systemd reads it. */
    const command = (name: string) => {
      const unit = read('deploy/posthorn-health.service').replaceAll('\\\n', '')
      const script = new RegExp(`^${name}=\\+?/bin/sh -c '(.*)'$`, 'm').exec(unit)?.[1] ?? ''
      expect(script).not.toBe('')
      return script.replaceAll('$$', () => '$')
    }

    /** Runs the commands of the unit as systemd would, with `posthorn health` ending with this code. */
    const check = (code: number) => {
      writeFileSync(join(folder, 'code'), String(code))
      writeFileSync(join(folder, 'calls'), '')
      const env = { PATH: `${folder}:${process.env['PATH']}`, RUNTIME_DIRECTORY: folder }
      const { status } = spawnSync('/bin/sh', ['-c', command('ExecStart')], { env })
      const result = { SERVICE_RESULT: status === 0 ? 'success' : 'exit-code', EXIT_STATUS: String(status) }
      spawnSync('/bin/sh', ['-c', command('ExecStopPost')], { env: { ...env, ...result } })
      const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n')
      return { status, restarts: calls.filter((call) => call.startsWith('systemctl restart')).length }
    }

    test('runs as the user of the gateway, and restarts as root', () => {
      const unit = read('deploy/posthorn-health.service')
      expect(unit).toMatch(/^User=posthorn$/m)
      expect(unit).toMatch(/^ProtectSystem=strict$/m)
      expect(unit).toMatch(/^ExecStopPost=\+/m)
    })

    test('restarts a gateway that no longer answers, once until it answers again', () => {
      expect(check(0)).toEqual({ status: 0, restarts: 0 })
      expect(check(1)).toEqual({ status: 1, restarts: 1 })
      expect(check(1)).toEqual({ status: 1, restarts: 0 })
      expect(check(0)).toEqual({ status: 0, restarts: 0 })
      expect(check(1)).toEqual({ status: 1, restarts: 1 })
    })

    test.each([2, 127])('restarts nothing when it cannot ask: exit code %i', (code) => {
      expect(check(0)).toEqual({ status: 0, restarts: 0 })
      expect(check(code)).toEqual({ status: code, restarts: 0 })
    })
  })

  test('images are pinned to a version, and have a health check and the license', () => {
    const image = read('deploy/Dockerfile')
    expect(image).toMatch(/^ARG NODE=node:\d+\.\d+\.\d+-slim$/m)
    expect(image).toMatch(/^HEALTHCHECK .*"health"\]$/m)
    expect(image).toMatch(/^COPY .*\/LICENSE /m)
    expect(image).toMatch(/^USER \d+:\d+$/m)
    expect(image).toMatch(/^ENTRYPOINT \["node"/m)
  })

  test('only sources enter the build of the image', () => {
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    const names = allowed.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const needed = [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'LICENSE',
      'assets',
      'bin',
      'console',
      'providers',
      'scripts/need-node.js',
      'scripts/prune-modules.sh',
      'src',
    ]
    expect(names.sort()).toEqual(needed.sort())
  })

  test('the load balancer gives a slow sender of headers a limit', () => {
    expect(read('deploy/haproxy.cfg')).toMatch(/^ {2}timeout http-request \d+s$/m)
  })

  test('Patroni: TLS on every connection it admits, a password before its REST API', () => {
    const patroni = read('deploy/patroni.yml')
    const admitted = [...patroni.matchAll(/^ {4}- (host\S*|local) (.*)$/gm)].map(([, kind, rest]) => `${kind} ${rest}`)
    expect(admitted.filter((line) => !line.startsWith('hostssl ') && line !== 'local all postgres peer')).toEqual([])
    expect(patroni).toMatch(/^ {8}ssl: "on"$/m)
    expect(patroni).toContain('sslmode=verify-full&sslrootcert=')
    expect(patroni).toMatch(/^restapi:[\s\S]*?^ {2}authentication: \{/m)
  })

  test('patronictl has the certificate without which Patroni refuses a restart, a reload and a switchover', () => {
    const sections = read('deploy/patroni.yml').split(/^(?=\w)/m)
    const of = (name: string) => sections.find((section) => section.startsWith(`${name}:`)) ?? ''
    expect(of('restapi')).toMatch(/^ {2}verify_client: optional$/m)
    for (const line of [/^ {2}cacert: \S+$/m, /^ {2}certfile: \S+$/m, /^ {2}keyfile: \S+$/m]) {
      expect(of('ctl')).toMatch(line)
    }
  })
})
