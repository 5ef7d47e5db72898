/**
 * The Helm chart. `render.go` renders it by the template engine of Helm where Go is installed; what comes out is kept
 * in `golden`, to be read in reviews.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import Schema from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { FILE_VARIABLES, SETTINGS } from '../../src/app/settings/config.ts'
import { findProgram } from '../support/debian-program.ts'

const CHART = join(import.meta.dirname, '../../deploy/helm/posthorn')
const VALUES = join(import.meta.dirname, 'helm-values')
const SETS = readdirSync(VALUES)
const LIBRARIES = '/usr/share/gocode'

const read = (path: string) => readFileSync(join(CHART, path), 'utf8')
const VERSION: string = parse(read('Chart.yaml')).version
const schema = JSON.parse(read('values.schema.json')) as object
const isValid = (values: unknown) => Schema.Check(schema as never, values)
const readSet = (name: string): unknown => parse(readFileSync(join(VALUES, name), 'utf8'))

describe('values', () => {
  test('of the chart and of each example fit the schema', () => {
    expect(isValid(parse(read('values.yaml')))).toBe(true)
    expect(SETS.filter((name) => !isValid(readSet(name)))).toEqual([])
  })

  test.each([
    ['a misspelt name', { clusters: {} }],
    ['another mode', { mode: 'both' }],
    ['a secret among the settings', { settings: { SECRET_KEY: 'abc' } }],
    ['a setting of the chart', { settings: { ADMIN_HOST: '127.0.0.1' } }],
    ['a setting with its prefix', { settings: { POSTHORN_PUBLIC_URL: 'https://sms.example.com', 'x-y': 1 } }],
  ])('are refused with %s', (_, values) => {
    expect(isValid(values)).toBe(false)
  })

  test('are in the table of the README, each with its default', () => {
    const rows = leavesOf(parse(read('values.yaml')) as object).map(([path, value]) => {
      return `| \`${path}\` | ${value === '' ? '' : `\`${JSON.stringify(value).replaceAll('"', '')}\``} |`
    })
    const readme = read('README.md')
    expect(rows.filter((row) => !readme.includes(row))).toEqual([])
  })
})

const folder = mkdtempSync(join(tmpdir(), 'posthorn-helm-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SOURCE = join(import.meta.dirname, 'helm-render/render.go')
const env = {
  ...process.env,
  ...{ GO111MODULE: 'off', GOPATH: LIBRARIES, GOCACHE: join(folder, 'cache'), CGO_ENABLED: '0', GOFLAGS: '' },
}
const packages = 'golang-go, golang-github-masterminds-sprig-dev, golang-github-ghodss-yaml-dev'
// It fails without a library that the program needs.
const go = findProgram('go', packages, { words: ['list', '-deps', SOURCE], env })

describe.skipIf(go === null)('the chart', () => {
  const program = join(folder, 'render')
  beforeAll(() => execFileSync(go ?? '', ['build', '-o', program, SOURCE], { env }), 120_000)

  const run = (values: string) => {
    return spawnSync(program, [CHART, 'demo', 'messaging', values], { encoding: 'utf8' })
  }
  const withValues = (values: object): string => {
    const path = join(folder, 'values.yaml')
    writeFileSync(path, JSON.stringify({ secret: { existing: 'posthorn' }, ...values }))
    return path
  }
  const render = (set: string): Readonly<Record<string, string>> => {
    const { stdout, stderr } = run(isAbsolute(set) ? set : join(VALUES, set))
    expect(stderr).toBe('')
    return JSON.parse(stdout) as Readonly<Record<string, string>>
  }
  const manifests = (set: string): readonly Manifest[] => {
    const { 'NOTES.txt': _, ...templates } = render(set)
    return Object.values(templates).flatMap((text) => {
      return parseAllDocuments(text).flatMap((each) => (each.contents === null ? [] : [each.toJS() as Manifest]))
    })
  }

  test.each(SETS)('renders %s as it is kept', async (set) => {
    const texts = Object.entries(render(set)).filter(([, text]) => text.trim() !== '')
    const whole = texts.map(([name, text]) => `# ${name}\n${text.trim()}\n`).join('\n')
    // A release changes the version, and nothing to review.
    await expect(whole.replaceAll(VERSION, '<version>')).toMatchFileSnapshot(`golden/${set}`)
  })

  test('does not render without its Secret', () => {
    const { status, stderr } = run(withValues({ secret: {} }))
    expect(status).toBe(1)
    expect(stderr).toContain('secret.existing: name the Secret with the key secret-key')
  })

  test.each([
    ['HELD_MESSAGES', 1_000_000, '1000000'],
    ['TEMPLATE_BYTES_KEPT', 67_108_864, '67108864'],
    ['RETENTION_DAYS', 999_999, '999999'],
    ['LARGE', 9_007_199_254_740_991, '9007199254740991'],
    ['SHARE', 0.000_25, '0.00025'],
    ['LOGS', true, 'true'],
    ['TEXT', '1e6', '1e6'],
  ])('writes the setting %s: %s as %s', (name, value, text) => {
    const { 'single.yaml': pod = '' } = render(withValues({ settings: { [name]: value } }))
    expect(pod).toContain(`- name: POSTHORN_${name}\n              value: "${text}"\n`)
  })

  test('places jobs where it places gateways', () => {
    const pods = manifests('everything.yaml').flatMap(({ kind, spec }) =>
      spec?.template ? [{ kind, ...spec.template.spec }] : [],
    )
    expect(pods.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Deployment', 'Job', 'Job'])
    for (const pod of pods) {
      expect(pod).toMatchObject({
        nodeSelector: { 'kubernetes.io/arch': 'amd64' },
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
        affinity: { nodeAffinity: {} },
      })
    }
  })

  test.each([
    ['gateways', { cluster: { replicas: 8, autoscaling: { enabled: true, maxReplicas: 6 } } }, '6', '8'],
    [
      'gateways for requests',
      { cluster: { roles: { enabled: true, api: { replicas: 3 } }, autoscaling: { enabled: true, maxReplicas: 2 } } },
      '2',
      '3',
    ],
  ])('refuses a minimum of %s above the maximum of autoscaling', (_, values, most, least) => {
    const { status, stderr } = run(withValues({ mode: 'cluster', ...values }))
    expect(status).toBe(1)
    expect(stderr).toContain(`cluster.autoscaling.maxReplicas: ${most} is less than the minimum of ${least} replicas`)
  })

  test.each(SETS)('%s: services, budgets and policies find pods, and their ports exist', (set) => {
    const all = manifests(set)
    const pods = all.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template]))
    const selected = (labels: Labels) => {
      return pods.filter(({ metadata }) => Object.entries(labels).every(([name, at]) => metadata.labels[name] === at))
    }
    const selectors = all.flatMap(({ kind, spec = {} }): readonly Labels[] => {
      if (kind === 'Service') return [spec.selector as Labels]
      if (kind === 'ServiceMonitor') return []
      const { podSelector, selector } = spec as { podSelector?: Matching; selector?: Matching }
      return [podSelector, selector].flatMap((each) => (each === undefined ? [] : [each.matchLabels]))
    })
    expect(selectors.length).toBeGreaterThan(2)
    for (const labels of selectors) {
      const found = selected(labels)
      expect(found.length, JSON.stringify(labels)).toBeGreaterThan(0)
      const ports = found.map(({ spec }) => spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)))
      expect(ports).toEqual(found.map(() => ['public', 'admin']))
    }
    expect(new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(all.length)
  })

  test.each(SETS)('%s: settings exist, and no pod may write to its image or be root', (set) => {
    const known = new Set([...SETTINGS.map(({ env }) => env), ...FILE_VARIABLES])
    const pods = manifests(set).flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]))
    expect(pods.length).toBeGreaterThan(0)
    for (const pod of pods) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
      for (const { env, securityContext } of [...(pod.initContainers ?? []), ...pod.containers]) {
        expect(env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
        expect(new Set(env.map(({ name }) => name)).size).toBe(env.length)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })
})

type Labels = Readonly<Record<string, string>>

interface Matching {
  readonly matchLabels: Labels
}

interface Container {
  readonly env: readonly { readonly name: string }[]
  readonly ports?: readonly { readonly name: string }[]
  readonly securityContext: object
}

interface Pod {
  readonly metadata: { readonly labels: Labels }
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] }
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: { readonly template?: Pod; readonly selector?: unknown }
}

/** Each value that is no object of further values, with its path. */
function leavesOf(values: object, path = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const at = `${path}${name}`
    const isInner = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isInner && Object.keys(value).length > 0 ? leavesOf(value, `${at}.`) : [[at, value] as const]
  })
}
