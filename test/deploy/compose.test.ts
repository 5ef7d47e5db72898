/** The compose files name only what there is, and confine what they run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
  readonly networks?: unknown
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes?: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
}

const FOLDER = join(import.meta.dirname, '../../deploy')
const FILES = readdirSync(FOLDER).filter((name) => /^compose\..*yaml$/.test(name))
const read = (name: string): Compose => parse(readFileSync(join(FOLDER, name), 'utf8'), { merge: true })

test('one gateway is the default', () => {
  expect(FILES.sort()).toEqual(['compose.cluster.yaml', 'compose.yaml'])
  expect(Object.keys(read('compose.yaml').services)).toEqual(['init', 'gateway'])
})

describe.each(FILES)('deploy/%s', (name) => {
  const compose = read(name)
  const services = Object.entries(compose.services)
  const own = services.filter(([, { image }]) => image === 'posthorn')

  test('names volumes, secrets, services and files that there are', () => {
    const missing = services.flatMap(([service, { volumes = [], secrets = [], depends_on = [], build }]) => {
      const mounted = volumes.map((each) => each.split(':')[0] ?? '')
      return [
        ...mounted.filter((each) => !each.startsWith('.') && !(each in (compose.volumes ?? {}))),
        ...mounted.filter((each) => each.startsWith('.') && !existsSync(join(FOLDER, each))),
        ...secrets.filter((each) => !(each in (compose.secrets ?? {}))),
        ...(Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)).filter(
          (each) => !(each in compose.services),
        ),
        ...(build !== undefined && !existsSync(join(FOLDER, build.context, build.dockerfile)) ? ['Dockerfile'] : []),
      ].map((each) => `${service}: ${each}`)
    })
    expect(missing).toEqual([])
  })

  test('gives a service only the secrets that its variables name', () => {
    for (const [service, { environment = {}, secrets = [] }] of services) {
      const named = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [])
      expect([service, ...named.sort()]).toEqual([service, ...[...secrets].sort()])
    }
  })

  test('has no password or key of its own', () => {
    const names = services.flatMap(([, { environment = {} }]) => Object.keys(environment))
    expect(names.filter((each) => /(PASSWORD|KEY|TOKEN|DATABASE|SMTP_URL)$/.test(each))).toEqual([])
  })

  test('pins images of others to a version, and publishes ports on this machine only', () => {
    const others = services.flatMap(([, { image }]) => (image === 'posthorn' ? [] : [image]))
    expect(others.filter((image) => !/:\d+\.\d+/.test(image))).toEqual([])
    const ports = services.flatMap(([, each]) => each.ports ?? [])
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  test('runs the gateway with a read-only root and without capabilities', () => {
    expect(own.map(([service]) => service)).toEqual(['init', 'gateway'])
    expect(own.filter(([, { read_only, cap_drop }]) => read_only !== true || cap_drop?.[0] !== 'ALL')).toEqual([])
  })
})

test('the cluster trusts the address of its load balancer alone', () => {
  const { gateway, balancer } = read('compose.cluster.yaml').services
  const trusted = gateway?.environment?.['POSTHORN_TRUSTED_PROXIES'] ?? ''
  expect(trusted).toMatch(/\/32$/)
  expect(balancer?.networks).toEqual({ inside: { ipv4_address: trusted.replace('/32', '') } })
})
