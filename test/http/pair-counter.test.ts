import { Registry } from '@prometheus-io/client'
import { expect, test } from 'vitest'
import { PairCounter } from '../../src/http/metrics/pair-counter.ts'

test('sums by two labels grow from one reading to the next', async () => {
  const registry = new Registry()
  const counter = new PairCounter(registry, { name: 'events_total', help: 'Events.', labelNames: ['kind', 'channel'] })
  counter.count('taken', 'sms')
  counter.count('taken', 'sms')
  counter.count('taken', 'rcs')
  expect(await registry.metrics()).toContain('events_total{kind="taken",channel="sms"} 2')
  counter.count('taken', 'sms')
  counter.count('delivered', 'sms')
  const text = await registry.metrics()
  expect(text).toContain('events_total{kind="taken",channel="sms"} 3')
  expect(text).toContain('events_total{kind="taken",channel="rcs"} 1')
  expect(text).toContain('events_total{kind="delivered",channel="sms"} 1')
})
