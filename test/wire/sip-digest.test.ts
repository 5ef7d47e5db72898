/** Digest proofs, compared with the examples of RFC 7616 and RFC 2617. */
import { describe, expect, it } from 'vitest'
import { digestOf, provesCredentials, readChallenge, writeProof } from '../../src/wire/sip/digest.ts'

const MUFASA = { username: 'Mufasa', password: 'Circle of Life' }
const TERMS_OF_7616 = {
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  method: 'GET',
  uri: '/dir/index.html',
  qop: { cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ', count: '00000001' },
}
const INVITE = { method: 'INVITE', uri: 'sip:+447700900001@example.org' }

const USE = { cnonce: 'cnonce', count: 1 }
const prove = (text: string) => {
  const challenge = readChallenge(text)
  return challenge === null ? null : writeProof(challenge, MUFASA, INVITE, USE)
}

describe('digest', () => {
  it('is that of RFC 7616 section 3.9.1', () => {
    expect(digestOf(MUFASA, { ...TERMS_OF_7616, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec')
    expect(digestOf(MUFASA, { ...TERMS_OF_7616, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    )
  })

  it('is that of RFC 7616 section 3.9.2, as its erratum 4897 corrects it', () => {
    const terms = {
      algorithm: 'SHA-512-256' as const,
      realm: 'api@example.org',
      nonce: '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
      method: 'GET',
      uri: '/doe.json',
      qop: { cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v', count: '00000001' },
    }
    expect(digestOf({ username: 'J\u00e4s\u00f8n Doe', password: 'Secret, or not?' }, terms)).toBe(
      '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
    )
  })

  it('is that of RFC 2617 section 3.5', () => {
    const terms = {
      algorithm: 'MD5' as const,
      realm: 'testrealm@host.com',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      method: 'GET',
      uri: '/dir/index.html',
      qop: { cnonce: '0a4f113b', count: '00000001' },
    }
    const credentials = { username: 'Mufasa', password: 'Circle Of Life' }
    expect(digestOf(credentials, terms)).toBe('6629fae49393a05397450978507c4ef1')
    // The older form, as published for the same example without qop.
    expect(digestOf(credentials, { ...terms, qop: null })).toBe('670fd8c2df070c60b045671b8b24ff02')
  })

  it.each([
    ['MD5 with qop', 'Digest realm="r", nonce="n", qop="auth-int,auth", opaque="o"', 'MD5'],
    ['MD5 without qop', 'Digest realm="r", nonce="n"', 'MD5'],
    ['SHA-256', 'Digest algorithm=SHA-256, realm="r", nonce="n", qop="auth"', 'SHA-256'],
    ['SHA-512-256', 'Digest algorithm=SHA-512-256, realm="r", nonce="n", qop="auth"', 'SHA-512-256'],
  ] as const)('answers a challenge of %s so that the server believes it', (_, challenge, algorithm) => {
    const proof = prove(challenge)
    const asked = { realm: 'r', nonce: 'n', method: 'INVITE', algorithm }
    expect(proof !== null && provesCredentials(proof, MUFASA, asked)).toBe(true)
    expect(proof !== null && provesCredentials(proof, { ...MUFASA, password: 'x' }, asked)).toBe(false)
    expect(proof !== null && provesCredentials(proof, MUFASA, { ...asked, method: 'BYE' })).toBe(false)
    expect(proof !== null && provesCredentials(proof, MUFASA, { ...asked, nonce: 'old' })).toBe(false)
  })

  it.each([
    'Digest realm="r", nonce="n", algorithm=SHA-384',
    'Digest realm="r", nonce="n", algorithm=toString',
    'Digest realm="r", nonce="n", qop="auth-int"',
    'Digest realm="r"',
    'Bearer realm="r"',
    '',
  ])('reads no challenge that it cannot answer: %s', (text) => {
    expect(readChallenge(text)).toBeNull()
  })

  it('writes the number of uses of a nonce in hexadecimal digits', () => {
    const challenge = readChallenge('Digest realm="r", nonce="n", qop="auth", stale=TRUE')
    expect(challenge).toMatchObject({ stale: true })
    expect(challenge !== null && writeProof(challenge, MUFASA, INVITE, { ...USE, count: 10 })).toContain('nc=0000000a')
  })

  it('escapes quotes inside quoted values', () => {
    const proof = prove('Digest realm="a \\"b\\", c", nonce="n"')
    const asked = { realm: 'a "b", c', nonce: 'n', method: 'INVITE', algorithm: 'MD5' as const }
    expect(proof !== null && provesCredentials(proof, MUFASA, asked)).toBe(true)
  })
})
