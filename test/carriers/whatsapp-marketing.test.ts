/** Marketing templates go by Meta's Marketing Messages API where the settings say so, and nothing else does. */
import { afterEach, expect, test } from 'vitest'
import type { WhatsAppDouble } from '../../src/simulator/whatsapp/whatsapp.ts'
import { SubmissionMaker } from '../conformance/carrier.ts'
import { eventually, settled } from '../support/eventually.ts'
import { buildWhatsAppBench, type HttpBench } from '../support/http-benches.ts'

let bench: HttpBench<WhatsAppDouble>
afterEach(async () => {
  await settled('the carrier to stop', bench.carrier.stop(), bench.clock)
  await bench.stop()
})

async function begin(settings: object) {
  bench = await buildWhatsAppBench(settings)
  const { carrier, double, inbox } = bench
  const components = [{ type: 'BODY', text: 'Big sale' }] as const
  double.templates.push({
    ...{ id: '2', name: 'sale', language: 'en' },
    ...{ status: 'APPROVED', category: 'MARKETING', components },
  })
  carrier.start(inbox)
  await eventually('the carrier to be up', () => carrier.state().up)
  const submissions = new SubmissionMaker(bench)
  return async (text: string) => {
    const submission = submissions.make('04', { content: { kind: 'text', text } })
    return (await settled('the verdict', carrier.submit(submission)))[0]
  }
}

test('a marketing template goes by the Marketing Messages API, another one does not', async () => {
  const send = await begin({ marketingMessages: true })
  expect(await send('Big sale')).toMatchObject({ kind: 'taken' })
  expect(bench.double.marketingSends()).toBe(1)
  expect(await send('Hello number 7')).toMatchObject({ kind: 'taken' })
  expect(bench.double.marketingSends()).toBe(1)
})

test('without the setting, a marketing template goes as all others', async () => {
  const send = await begin({})
  expect(await send('Big sale')).toMatchObject({ kind: 'taken' })
  expect(bench.double.marketingSends()).toBe(0)
})
