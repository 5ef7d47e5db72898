/**
 * Signatures of HTTP requests that cloud providers ask for: AWS Signature Version 4, and the HMAC of Azure
 * Communication Services. Both cover the address, the body and the time.
 */
import { createHash, createHmac } from 'node:crypto'
import type { HttpRequest } from './http-client.ts'

/** Returns the request with headers that prove who sends it. @param now milliseconds since 1970. */
export type SignRequest = (request: HttpRequest, now: number) => HttpRequest

export interface AwsKey {
  readonly region: string
  readonly service: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export function signForAws({ region, service, accessKeyId, secretAccessKey }: AwsKey): SignRequest {
  return (request, now) => {
    const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
    const date = time.slice(0, 8)
    const scope = `${date}/${region}/${service}/aws4_request`
    const { host } = new URL(request.url)
    const headers = { ...request.headers, 'x-amz-date': time }
    const signed = Object.entries({ ...headers, host }).toSorted(([a], [b]) => compare(a, b))
    const names = signed.map(([name]) => name).join(';')
    const canonical = canonicalRequest(request, signed)
    const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
      (secret, text) => hmac(secret, text),
      `AWS4${secretAccessKey}`,
    )
    const proof = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash(canonical).toString('hex')].join('\n'))
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${proof.toString('hex')}`
    return { ...request, headers: { ...headers, authorization } }
  }
}

/** All headers are signed, in the order of their names. */
function canonicalRequest({ method, url, body = '' }: HttpRequest, headers: readonly (readonly string[])[]): string {
  const { pathname, searchParams } = new URL(url)
  // The path is percent-encoded once more than it is sent.
  const path = pathname.replace(/\/+/g, '/').split('/').map(escapeRfc3986).join('/')
  const query = [...searchParams]
    .map((pair) => pair.map(escapeRfc3986))
    .toSorted(([a = '', x = ''], [b = '', y = '']) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
  const lines = headers.map(([name = '', value = '']) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`)
  const names = headers.map(([name]) => name).join(';')
  return [method, path, query.join('&'), lines.join(''), names, hash(body).toString('hex')].join('\n')
}

/** @param key as Azure shows it, base64. */
export function signForAzure(key: string): SignRequest {
  const secret = Buffer.from(key, 'base64')
  return (request, now) => {
    const { host, pathname, search } = new URL(request.url)
    const date = new Date(now).toUTCString()
    const content = hash(request.body ?? '').toString('base64')
    const proof = hmac(secret, `${request.method}\n${pathname}${search}\n${date};${host};${content}`)
    const authorization = `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${proof.toString('base64')}`
    const headers = { ...request.headers, 'x-ms-date': date, 'x-ms-content-sha256': content, authorization }
    return { ...request, headers }
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function escapeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** By code units, as the signatures sort; names and values are ASCII here. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
