/** Templates as the Cloud API of WhatsApp lists them. */
import type { CloudTemplate } from '../../src/simulator/whatsapp/cloud-message.ts'

export function template(components: CloudTemplate['components'], change: Partial<CloudTemplate> = {}): CloudTemplate {
  return { id: '2', name: 'one', language: 'en', status: 'APPROVED', category: 'UTILITY', components, ...change }
}

export const body = (text: string) => ({ type: 'BODY', text }) as const
