import { describe, expect, test } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createPlivo } from '../../support/providers/plivo.ts'
import { ProviderBench } from '../../support/providers/provider-bench.ts'

describe('Plivo', () => {
  describeProvider(createPlivo, (body) => (body.startsWith('{') ? JSON.parse(body).text : ''))

  test('has a receipt for each part of a long text, all under the id of the first', async () => {
    const double = createPlivo()
    const bench = await ProviderBench.start(double)
    const { verdicts } = await bench.send('00', 'The quick brown fox. '.repeat(15), { parts: [0, 1, 2] })
    const [message = { id: '', callback: '' }] = double.taken
    expect(verdicts).toMatchObject([0, 1, 2].map(() => ({ kind: 'taken', ref: message.id, perPart: true })))
    for (const part of ['', '/2', '/3']) {
      await bench.call(double.receipt({ ...message, id: `${message.id}${part}` }, 'delivered'))
    }
    expect(bench.parts.inbox.receipts.map(({ ref }) => ref)).toEqual([message.id, message.id, message.id])
    await bench.stop()
  })
})
