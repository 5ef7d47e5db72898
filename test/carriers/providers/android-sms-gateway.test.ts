import { describe, expect, test } from 'vitest'
import { settled } from '../../support/eventually.ts'
import { createAndroidSmsGateway } from '../../support/providers/android-sms-gateway.ts'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { ProviderBench } from '../../support/providers/provider-bench.ts'

describe('android-sms-gateway', () => {
  describeProvider(createAndroidSmsGateway, (body) => JSON.parse(body).textMessage.text)

  test('gets a webhook for each event when an operator registers them', async () => {
    const bench = await ProviderBench.start(createAndroidSmsGateway())
    const registered = await settled('the answers', bench.carrier.register?.() ?? Promise.reject(), bench.parts.clock)
    expect(registered.map(({ done }) => done)).toEqual([true, true, true, true])
    const webhooks = bench.seen.map(({ body }) => JSON.parse(body) as { id: string; event: string; url: string })
    expect(webhooks.map(({ event, url }) => [event, url])).toEqual([
      ['sms:sent', 'https://sms.example.com/carriers/up'],
      ['sms:delivered', 'https://sms.example.com/carriers/up'],
      ['sms:failed', 'https://sms.example.com/carriers/up'],
      ['sms:received', 'https://sms.example.com/carriers/up/inbound'],
    ])
    expect(new Set(webhooks.map(({ id }) => id)).size).toBe(4)
    await bench.stop()
  })
})
