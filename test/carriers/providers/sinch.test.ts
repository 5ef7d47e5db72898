import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createSinch } from '../../support/providers/sinch.ts'

describe('Sinch', () => {
  describeProvider(createSinch, (body) => (body.startsWith('{') ? JSON.parse(body).body : ''))
})
