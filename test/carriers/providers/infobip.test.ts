import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createInfobip } from '../../support/providers/infobip.ts'

describe('Infobip', () => {
  describeProvider(createInfobip, (body) => (body.startsWith('{') ? JSON.parse(body).messages[0].content.text : ''))
})
