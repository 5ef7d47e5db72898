/** The alert rules: each has a runbook, and fires when it should, as Prometheus itself evaluates them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../support/debian-program.ts'
import { ALERT_STORIES, type AlertStory } from './alert-stories.ts'

const RULES = 'deploy/prometheus/alerts.yaml'

interface Rule {
  readonly alert: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const promtool = findProgram('promtool', 'prometheus')

function run(...words: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', words, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('every alert has a severity, a summary, and a paragraph of its own in the runbook', () => {
  const page = readFileSync('docs/operations/alerts.md', 'utf8')
  const paragraphs = new Map(
    [...page.matchAll(/^### (\S+)\n\n(.+)/gm)].map(([, heading = '', text = '']) => [heading, text]),
  )
  expect([...paragraphs.keys()]).toEqual(rules.map(({ alert }) => alert))
  for (const { alert, labels, annotations } of rules) {
    expect(labels.severity, alert).toMatch(/^(critical|warning)$/)
    expect(annotations.summary, alert).not.toBe('')
    expect(annotations.runbook_url, alert).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`)
    expect(paragraphs.get(alert)?.length, alert).toBeGreaterThan(40)
  }
})

test('every alert has a story in which it fires and one in which it does not', () => {
  expect(Object.keys(ALERT_STORIES)).toEqual(rules.map(({ alert }) => alert))
})

describe.skipIf(promtool === null)('with promtool', () => {
  test('the rules and the configuration are valid', () => {
    expect(run('check', 'rules', RULES)).toMatchObject({ status: 0 })
    expect(run('check', 'config', 'deploy/prometheus/prometheus.yaml')).toMatchObject({ status: 0 })
  })

  test('every alert fires in its story, and not in the other', () => {
    const folder = mkdtempSync(join(tmpdir(), 'posthorn-rules-'))
    try {
      const files = rules.map((rule) => writeStories(folder, rule))
      const { status, output } = run('test', 'rules', ...files)
      expect(status, output).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** Writes the input of `promtool test rules`, with that rule alone, for all are evaluated each minute. JSON is YAML. */
function writeStories(folder: string, rule: Rule): string {
  const { alert } = rule
  const alone = join(folder, `${alert}.rule.yaml`)
  writeFileSync(alone, JSON.stringify({ groups: [{ name: alert, rules: [rule] }] }))
  const { fires, not, after } = ALERT_STORIES[alert] as AlertStory
  const tests = [fires, not].map((series) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count by (alertname) (ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: after,
        exp_samples: series === fires ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
      },
    ],
  }))
  const stories = join(folder, `${alert}.stories.yaml`)
  writeFileSync(stories, JSON.stringify({ rule_files: [alone], evaluation_interval: '1m', tests }))
  return stories
}
