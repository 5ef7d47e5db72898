/** Seals as Posthorn did before keys had names: nonce, tag and cipher text under the installation's one key. */
import { createCipheriv } from 'node:crypto'

export function sealAsBefore(key: string, text: string): string {
  const nonce = Buffer.alloc(12, 3)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce)
  const cipherText = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), cipherText]).toString('base64url')}`
}
