import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createTelnyx } from '../../support/providers/telnyx.ts'

describe('Telnyx', () => {
  describeProvider(createTelnyx, (body) => (body.startsWith('{') ? JSON.parse(body).text : ''))
})
