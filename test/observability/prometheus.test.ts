/** A real Prometheus scrapes a real gateway: every expression of the boards has data, every rule is evaluated. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Dashboard, Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DebianProgram, findProgram } from '../support/debian-program.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

const prometheus = findProgram('prometheus', 'prometheus')
const BOARDS = 'deploy/grafana/boards'

/** What happens to no carrier and no client of a sandbox without a cluster. */
const NEVER_HERE = ['posthorn_carrier_throughput', 'posthorn_guard_alarms_total']

const expressions = readdirSync(BOARDS)
  .flatMap((file) => (JSON.parse(readFileSync(join(BOARDS, file), 'utf8')) as Dashboard).panels ?? [])
  .flatMap((panel) => (panel as Panel).targets ?? [])
  .map((target) => String(Object(target).expr))
  .filter((expression) => !NEVER_HERE.some((name) => expression.includes(name)))

interface Counted {
  readonly result?: readonly { readonly value: readonly [at: number, count: string] }[]
}

const CHOSEN = { $job: 'posthorn', $carrier: '.*', $instance: '.*', $__rate_interval: '10s', $__range: '1m' }

function fillIn(expression: string): string {
  return Object.entries(CHOSEN).reduce((text, [name, value]) => text.replaceAll(name, value), expression)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { readonly port: number }
  await new Promise((done) => server.close(done))
  return port
}

describe.skipIf(prometheus === null)('a real Prometheus', () => {
  const program = new DebianProgram(120_000)
  let world: SandboxWorld
  let address = ''
  beforeAll(async () => {
    world = await SandboxWorld.start()
    await world.askAdmin('PUT', '/costs', { body: { carrier: 'sandbox-rcs', price: 0.02 } })
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [resolve('deploy/prometheus/alerts.yaml')],
      scrape_configs: [
        { job_name: 'posthorn', static_configs: [{ targets: [new URL(world.gateway.adminAddress).host] }] },
      ],
    }
    writeFileSync(join(program.folder, 'prometheus.yaml'), JSON.stringify(config))
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const listen = `--web.listen-address=127.0.0.1:${port}`
    program.start(prometheus ?? '', ['--config.file=prometheus.yaml', '--storage.tsdb.path=data', listen])
    await program.listens('tcp', port)
  })
  afterAll(async () => {
    await program.stop()
    await world.stop()
  })

  async function ask(path: string): Promise<unknown> {
    const response = await fetch(`${address}/api/v1/${path}`)
    const { data } = (await response.json().catch(() => ({}))) as { readonly data?: unknown }
    return data
  }

  /** Some traffic of every kind: delivered, refused, denied, a hook that fails. */
  async function causeTraffic(round: number): Promise<void> {
    world.sink.answer = () => ({ status: round % 2 === 0 ? 200 : 500 })
    await world.send(rcsItem('491701242000'), chainItem('491701242002'))
    await world.post({ auth: 'unknown', data: [] })
    await fetch(`${world.gateway.address}/carriers/sandbox-rcs`, { method: 'POST', body: '{}' })
    await world.pass(5)
  }

  const scrapes = async () => {
    const { result = [] } = (await ask(`query?query=${encodeURIComponent('count_over_time(up[1h])')}`)) as Counted
    return Number(result[0]?.value[1] ?? 0)
  }
  /** The virtual clock is faster than Prometheus, which has the clock of the machine. */
  const nextScrape = async () => {
    const before = await scrapes()
    while ((await scrapes()) === before);
  }

  test('has data for every expression of the boards', async () => {
    let without = expressions
    for (let round = 0; without.length > 0; round += 1) {
      await causeTraffic(round)
      await nextScrape()
      const asked = await Promise.all(
        without.map(async (expression) => {
          const data = await ask(`query?query=${encodeURIComponent(fillIn(expression))}`)
          return { expression, count: (Object(data).result ?? []).length }
        }),
      )
      without = asked.filter(({ count }) => count === 0).map(({ expression }) => expression)
      if (round === 40) break
    }
    expect(without).toEqual([])
    expect(expressions.length).toBeGreaterThan(40)
  }, 120_000)

  test('evaluates every rule without an error', async () => {
    const { groups } = (await ask('rules')) as { readonly groups: readonly { readonly rules: readonly object[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.length).toBeGreaterThan(20)
    expect(rules.filter((rule) => Object(rule).health === 'err')).toEqual([])
  })
})
