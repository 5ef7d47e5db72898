import { Histogram, Registry } from '@prometheus-io/client'
import { expect, test } from 'vitest'
import { PairHistogram } from '../../src/http/metrics/pair-histogram.ts'

const BUCKETS = [0.1, 1, 10]
const TIMES = [0, 0.05, 0.1, 0.100_1, 1, 3, 10, 11, 1_000]

test('writes what the histogram of the library writes, from one reading to the next', async () => {
  const registry = new Registry()
  const library = new Registry()
  const config = { name: 'answer_seconds', help: 'Time to answer.', labelNames: ['carrier', 'channel'] }
  const histogram = new PairHistogram(registry, { ...config, buckets: BUCKETS })
  const expected = new Histogram({ ...config, buckets: BUCKETS, registers: [library] })
  expect(await registry.metrics()).toBe(await library.metrics())
  for (const carrier of ['one', 'the "other"']) {
    for (const channel of ['sms', 'rcs']) {
      for (const time of TIMES) {
        histogram.observe(time, carrier, channel)
        expected.observe({ carrier, channel }, time)
      }
      expect(await registry.metrics()).toBe(await library.metrics())
    }
  }
  expect(await registry.getMetricsAsJSON()).toMatchObject([{ name: 'answer_seconds', type: 'histogram' }])
})

test('is shown without labels before it is observed', async () => {
  const registry = new Registry()
  const library = new Registry()
  const config = { name: 'commit_seconds', help: 'Time to commit.', labelNames: [] }
  const histogram = new PairHistogram(registry, { ...config, buckets: BUCKETS })
  const expected = new Histogram({ ...config, buckets: BUCKETS, registers: [library] })
  expect(await registry.metrics()).toBe(await library.metrics())
  histogram.observe(0.2)
  expected.observe(0.2)
  expect(await registry.metrics()).toBe(await library.metrics())
})
