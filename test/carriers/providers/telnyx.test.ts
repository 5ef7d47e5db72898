import { describe, expect, test } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { ProviderBench, webhook } from '../../support/providers/provider-bench.ts'
import { createTelnyx } from '../../support/providers/telnyx.ts'

describe('Telnyx', () => {
  describeProvider(createTelnyx, (body) => (body.startsWith('{') ? JSON.parse(body).text : ''))

  test('may send reports of messages of other programs to the address of inbound messages', async () => {
    const double = createTelnyx()
    const bench = await ProviderBench.start(double)
    const report = double.receipt({ id: 'of-another', callback: webhook('/inbound') }, 'delivered')
    expect((await bench.call(report))?.status).toBe(200)
    expect(bench.parts.inbox.arrivals).toEqual([])
    await bench.stop()
  })
})
