import { describe, expect, test } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { ProviderBench } from '../../support/providers/provider-bench.ts'
import { createVonage } from '../../support/providers/vonage.ts'

describe('Vonage', () => {
  describeProvider(createVonage, (body) => new URLSearchParams(body).get('text') ?? '')

  test('has an id and a receipt for each part of a long text', async () => {
    const double = createVonage()
    const bench = await ProviderBench.start(double)
    const { verdicts } = await bench.send('00', 'The quick brown fox. '.repeat(15), { parts: [0, 1, 2] })
    const refs = verdicts.map((verdict) => (verdict.kind === 'taken' ? verdict.ref : ''))
    expect(refs).toEqual(double.taken.map(({ id }) => id))
    for (const message of double.taken) await bench.call(double.receipt(message, 'delivered'))
    expect(bench.parts.inbox.receipts.map(({ ref }) => ref)).toEqual(refs)
    await bench.stop()
  })
})
