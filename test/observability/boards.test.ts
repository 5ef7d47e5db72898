/** The boards of Grafana: as generated, importable as far as that is known without Grafana, and of existing metrics. */
import { readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Dashboard, Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.ts'
import { seriesLabels, TARGET_LABELS } from '../support/exposed-metrics.ts'
import { readExpression } from '../support/promql.ts'
import { SandboxWorld } from '../support/sandbox-world.ts'
import { scrape } from '../support/scrape.ts'
import { chainItem, rcsItem } from '../support/send-items.ts'

const FOLDER = 'deploy/grafana/boards'
const BOARD_FILES = readdirSync(FOLDER)
/** Grafana's own variables, as it fills them in. */
const OF_GRAFANA = { $__rate_interval: '1m', $__range: '3h' }

const boards = BOARD_FILES.map((file) => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Dashboard)

function panelsOf({ panels = [] }: Dashboard): readonly Panel[] {
  return panels as readonly Panel[]
}

function expressionsOf(board: Dashboard): readonly string[] {
  return panelsOf(board).flatMap(({ targets = [] }) => targets.map((target) => String(Object(target).expr)))
}

function fillIn(expression: string): string {
  return Object.entries(OF_GRAFANA).reduce((text, [name, value]) => text.replaceAll(name, value), expression)
}

let exposed: ReadonlyMap<string, readonly string[]> = new Map()
let world: SandboxWorld
beforeAll(async () => {
  world = await SandboxWorld.start()
  await world.send(chainItem('491701242002'), rcsItem('491701242000'))
  await world.post({ auth: 'unknown', data: [] })
  await fetch(`${world.gateway.address}/carriers/sandbox-rcs`, { method: 'POST', body: '{}' })
  await world.pass(5)
  // The durations of collections are exposed from the first one on.
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await eventually('a garbage collection to be exposed', async () => {
    exposed = seriesLabels(await scrape(world.gateway.adminAddress))
    return exposed.has('nodejs_gc_duration_seconds_sum')
  })
})
afterAll(() => world.stop())

/** Returns what the expression asks for that no gateway exposes. */
function unknownIn(expression: string): readonly string[] {
  const { isValid, selectors, grouping } = readExpression(expression)
  if (!isValid) return ['not PromQL']
  const unknown = selectors.flatMap(({ metric, labels }) => {
    const known = exposed.get(metric)
    if (known === undefined) return [metric]
    return labels.filter((label) => ![...known, ...TARGET_LABELS].includes(label)).map((label) => `${metric}{${label}}`)
  })
  const anywhere = new Set([...TARGET_LABELS, ...selectors.flatMap(({ metric }) => exposed.get(metric) ?? [])])
  return [...unknown, ...grouping.filter((label) => !anywhere.has(label))]
}

test('every expression of a board is PromQL, of metrics and labels that a gateway exposes', () => {
  const wrong = boards.flatMap(({ title }, index) =>
    expressionsOf(boards[index] as Dashboard).flatMap((expression) => {
      const unknown = unknownIn(fillIn(expression))
      return unknown.length === 0 ? [] : { title, expression, unknown }
    }),
  )
  expect(wrong).toEqual([])
})

test('every expression of an alert is PromQL, of metrics and labels that a gateway exposes', () => {
  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  expect(rules.length).toBeGreaterThan(20)
  const wrong = rules.map(({ alert, expr }) => ({ alert, unknown: unknownIn(expr) }))
  expect(wrong.filter(({ unknown }) => unknown.length > 0)).toEqual([])
})

test('a metric or a label that no gateway exposes is found, and so is an expression that is none', () => {
  expect(
    unknownIn('sum by (account) (rate(posthorn_delivery_seconds_bucket{sender="x"}[5m])) / posthorn_none'),
  ).toEqual(['posthorn_delivery_seconds_bucket{sender}', 'posthorn_none', 'account'])
  expect(unknownIn('sum(rate(posthorn_messages_held[5m])')).toEqual(['not PromQL'])
})

test('panels have own ids and places, texts, and expressions of declared variables', () => {
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length)
  for (const board of boards) {
    const panels = panelsOf(board)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ gridPos }) => `${gridPos?.x} ${gridPos?.y}`)).size).toBe(panels.length)
    expect(panels.filter(({ title, description }) => !title || !description)).toEqual([])
    const declared = board.templating?.list?.map(({ name }) => name) ?? []
    const used = expressionsOf(board).flatMap((expression) => [...fillIn(expression).matchAll(/\$\{?(\w+)/g)])
    expect(declared).toEqual(expect.arrayContaining([...new Set(used.map(([, name]) => name))]))
  }
})

test('the provisioning files are YAML, and name the folder of the boards and the data source', () => {
  const provided = parse(readFileSync('deploy/grafana/provisioning/dashboards/posthorn.yaml', 'utf8'))
  expect(provided).toMatchObject({
    apiVersion: 1,
    providers: [{ type: 'file', options: { path: expect.any(String) } }],
  })
  const sources = parse(readFileSync('deploy/grafana/provisioning/datasources/prometheus.yaml', 'utf8'))
  expect(sources).toMatchObject({ apiVersion: 1, datasources: [{ type: 'prometheus', url: expect.any(String) }] })
})
