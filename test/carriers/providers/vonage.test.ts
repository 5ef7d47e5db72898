import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createVonage } from '../../support/providers/vonage.ts'

describe('Vonage', () => {
  describeProvider(createVonage, (body) => new URLSearchParams(body).get('text') ?? '')
})
