import { describe } from 'vitest'
import { createAfricasTalking } from '../../support/providers/africastalking.ts'
import { describeProvider } from '../../support/providers/describe-provider.ts'

describe("Africa's Talking", () => {
  describeProvider(createAfricasTalking, (body) => new URLSearchParams(body).get('message') ?? '')
})
