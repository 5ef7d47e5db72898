import { describe } from 'vitest'
import { createAndroidSmsGateway } from '../../support/providers/android-sms-gateway.ts'
import { describeProvider } from '../../support/providers/describe-provider.ts'

describe('android-sms-gateway', () => {
  describeProvider(createAndroidSmsGateway, (body) => (body.startsWith('{') ? JSON.parse(body).textMessage.text : ''))
})
