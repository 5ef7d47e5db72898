import { describe } from 'vitest'
import { describeProvider } from '../../support/providers/describe-provider.ts'
import { createPlivo } from '../../support/providers/plivo.ts'

describe('Plivo', () => {
  describeProvider(createPlivo, (body) => (body.startsWith('{') ? JSON.parse(body).text : ''))
})
