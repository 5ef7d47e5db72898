import { describe, expect, test } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createTwilio, signTwilio } from '../../support/providers/twilio.ts'

describe('Twilio', () => {
  describeProvider(createTwilio, (body) => new URLSearchParams(body).get('Body') ?? '')

  test('signs as in its published example', () => {
    const fields = {
      ...{ CallSid: 'CA1234567890ABCDE', Caller: '+14158675309', Digits: '1234' },
      ...{ From: '+14158675309', To: '+18005551212' },
    }
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
    expect(signTwilio('12345', url, fields)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  })
})
