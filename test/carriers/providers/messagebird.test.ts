import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createMessageBird } from '../../support/providers/messagebird.ts'

describe('MessageBird', () => {
  describeProvider(createMessageBird, (body) => (body.startsWith('{') ? JSON.parse(body).body : ''))
})
