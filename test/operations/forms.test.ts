/** Forms of fields that clients of other services send, and that are taken for what they mean. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ClientBench, startClientBench } from '../support/client-bench.ts'
import { itemError, rcs, send, sms } from '../support/operations.ts'

let bench: ClientBench
beforeEach(async () => {
  bench = await startClientBench()
})
afterEach(() => bench.stop())

const contents = () => bench.outbox.taken.map(({ plan }) => plan[0]?.content)
const LINK = 'https://shop.example/parcels/17'

describe('an RCS link without a button', () => {
  test('goes behind the text, in a line of its own', async () => {
    await bench.ask(rcs({ rcs_message: 'Your parcel', rcs_link: LINK }))
    expect(contents()).toEqual([{ kind: 'text', text: `Your parcel\n${LINK}` }])
  })

  test('stays where the text has it already', async () => {
    await bench.ask(rcs({ rcs_message: `See ${LINK} for more`, rcs_link: LINK }))
    expect(contents()).toEqual([{ kind: 'text', text: `See ${LINK} for more` }])
  })

  test('is shortened with the text', async () => {
    await bench.ask(rcs({ rcs_message: 'Your parcel', rcs_link: LINK, short_link: true }))
    expect(contents()).toEqual([
      { kind: 'text', text: expect.stringMatching(/^Your parcel\nhttps:\/\/.*\/l\/\w{10}$/) },
    ])
  })

  test('is a button where there is one', async () => {
    await bench.ask(rcs({ rcs_message: 'Your parcel', rcs_link: LINK, rcs_button: 'Open' }))
    expect(contents()).toEqual([{ kind: 'text', text: 'Your parcel', button: 'Open', link: LINK }])
  })
})

test('a lifetime is the same as a number and as text', async () => {
  await bench.post([sms({ sms_lifetime: 600 }), sms({ sms_lifetime: '600' })])
  expect(bench.outbox.taken.map(({ plan }) => plan[0]?.lifetimeSeconds)).toEqual([600, 600])
})

test.each(['', '59', '1209601', '600.0', ' 600', '6e2', '00000600', 'ten'])('%j is no lifetime', async (lifetime) => {
  const error = 'sms_lifetime: must be a whole number of seconds from 60 to 1209600'
  const result = await bench.ask(sms({ sms_lifetime: lifetime }))
  expect(result).toEqual(lifetime === '' ? expect.objectContaining({ success: true }) : itemError(error, { id: 1 }))
})

test('a trunk prefix is no part of the number that is kept, priced and charged', async () => {
  const phones = ['+49 (0)170 1234500', '0049 170 1234500', 4901701234500, 491701234500]
  await bench.post(phones.map((phone) => sms({ phone })))
  expect(bench.outbox.taken.map(({ phone }) => phone)).toEqual(phones.map(() => '491701234500'))
})

test('a number in national format is one of the country of the account, in every operation', async () => {
  const settled = await startClientBench({ settings: { nationalCountry: 'DE' } })
  const phones = ['0170 1234500', '0049 170 1234500', '491701234500']
  await settled.post(phones.map((phone) => sms({ phone })))
  expect(settled.outbox.taken.map(({ phone }) => phone)).toEqual(phones.map(() => '491701234500'))
  const price = { type: 'price', send_type: 'sms', phone: '01701234500', sms_signature: 'SMSTest', sms_message: 'Hi' }
  expect(await settled.ask(price)).toMatchObject({ success: true })
  const rich = { type: 'suggestions', suggestions: [{ type: 'dial', text: 'Call us', phone: '0170 1234599' }] }
  expect(await settled.ask({ ...send('rcs'), rich })).toMatchObject({ success: true })
  expect(settled.outbox.taken.at(-1)?.plan[0]?.content).toMatchObject({
    rich: { suggestions: [{ phone: '491701234599' }] },
  })
  expect(await settled.ask(sms({ phone: '1701234500' }))).toMatchObject({ success: false })
  await settled.stop()
  expect(await bench.ask(sms({ phone: '0170 1234500' }))).toMatchObject({ success: false })
})

describe('the default SMS sender of an account', () => {
  const without = (type: string) => ({ ...send(type), sms_signature: undefined })

  test('is the sender of SMS steps that name none', async () => {
    const settled = await startClientBench({ settings: { defaultSmsSender: 'Posthorn' } })
    const { data } = await settled.post([without('sms'), without('rcs+chatapp+sms'), sms({ sms_signature: 'SMSTest' })])
    expect(data.map((each: { success: boolean }) => each.success)).toEqual([true, true, true])
    expect(settled.outbox.taken.map(({ plan }) => plan.at(-1)?.sender)).toEqual(['Posthorn', 'Posthorn', 'SMSTest'])
    expect(await settled.ask({ ...without('sms'), type: 'price', send_type: 'sms' })).toMatchObject({ success: true })
    await settled.stop()
  })

  test('must be approved like any other', async () => {
    const settled = await startClientBench({ settings: { defaultSmsSender: 'Unknown' } })
    expect(await settled.ask(without('sms'))).toEqual(itemError('Error in Alpha-name', { id: 1 }, 'sms_signature'))
    await settled.stop()
  })

  test('is not there unless it is set', async () => {
    expect(await bench.ask(without('sms'))).toEqual(itemError('sms_signature: required', { id: 1 }))
  })
})

describe('an id of digits', () => {
  test.each(['status', 'cancel'])(
    '%s finds it as a number, as text and with zeros in front, and echoes it as it was sent',
    async (type) => {
      const send_at = new Date(bench.clock.now() + 3_600_000).toISOString()
      await bench.post([sms({ id: 12, send_at }), sms({ id: '34', send_at })])
      const { data } = await bench.post([12, '12', 34, '34', '012', '35'].map((id) => ({ type, id })))
      const ids = data.map((result: { data: { id: unknown } }) => result.data.id)
      expect(ids).toEqual([12, 12, '34', '34', 12, '35'])
      expect(data.map((result: { success: boolean }) => result.success)).toEqual([true, true, true, true, true, false])
    },
  )
})
