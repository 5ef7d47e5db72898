/** Calls by which carriers check a webhook before they use it. */
import { describe, expect, test } from 'vitest'
import { openWebhookCalls } from '../support/webhook-calls.ts'

const AUTH = { auth: { kind: 'header', name: 'X-Key', value: 'key' } }
const headers = { 'x-key': 'key' }
const EVENT_GRID = {
  word: 'eventType',
  is: 'Microsoft.EventGrid.SubscriptionValidationEvent',
  value: 'data.validationCode',
  member: 'validationResponse',
}
const event = (validationCode: unknown) => ({
  id: '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
  eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
  data: { validationCode, validationUrl: 'https://rp-eastus2.eventgrid.azure.net/eventsubscriptions/x/validate' },
})

describe('a challenge', () => {
  test('of Azure Event Grid is answered once it is authenticated', async () => {
    const { call } = openWebhookCalls({ ...AUTH, challenge: EVENT_GRID })
    const text = JSON.stringify([event('512d38b6-c7b8-40c8-89fe-f46f9e9622b6')])
    expect(await call({ text, headers })).toEqual({
      status: 200,
      body: '{"validationResponse":"512d38b6-c7b8-40c8-89fe-f46f9e9622b6"}',
      contentType: 'application/json',
    })
    expect(await call({ text })).toEqual({ status: 401, body: 'not authorized' })
  })

  test('beside other items is answered when they are recorded', async () => {
    const webhook = openWebhookCalls({ ...AUTH, challenge: EVENT_GRID })
    webhook.refusals = 1
    const text = JSON.stringify([{ id: 1, status: 'delivered' }, event('"<code>"')])
    expect(await webhook.call({ text, headers })).toMatchObject({ status: 503 })
    expect(await webhook.call({ text, headers })).toMatchObject({ body: '{"validationResponse":"\\"<code>\\""}' })
    expect(webhook.items[0]).toEqual({ id: 1, status: 'delivered' })
  })

  test.each([[undefined], [''], [{ a: 1 }], ['x'.repeat(1_025)]])(
    'with the code %j is like any other item',
    async (code) => {
      const { call } = openWebhookCalls({ ...AUTH, challenge: EVENT_GRID })
      expect(await call({ text: JSON.stringify([event(code)]), headers })).toEqual({ status: 200, body: '' })
    },
  )

  test('may be alone in a call, and its answer a text', async () => {
    const challenge = { word: 'type', is: 'url_verification', value: 'challenge' }
    const text = '{"type":"url_verification","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}'
    const inJson = openWebhookCalls({ ...AUTH, challenge })
    expect(await inJson.call({ text, headers })).toEqual({
      status: 200,
      body: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    })
    expect(await inJson.call({ text: text.replace('url_', 'urL_'), headers })).toEqual({ status: 200, body: '' })
    const inForm = openWebhookCalls({ ...AUTH, challenge, format: 'form' })
    expect(await inForm.call({ text: 'type=url_verification&challenge=a+b', headers })).toMatchObject({ body: 'a b' })
  })

  test('is refused in settings without a place, and with a wrong one', () => {
    const begin = (change: object) => () => openWebhookCalls({ ...AUTH, challenge: { ...EVENT_GRID, ...change } })
    expect(begin({ word: 'a..b' })).toThrow('receipt.challenge.word: should be a place in JSON')
    expect(begin({ value: undefined })).toThrow('receipt.challenge.value: should be text')
  })
})
