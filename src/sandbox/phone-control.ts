/**
 * Lets a simulated phone of a running sandbox write: a server on loopback in the sandbox, and its client in another
 * process, which finds address and token in the data folder.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../ports/system/random.ts'
import { isPhoneReply, type PhoneReply } from '../simulator/phone-reply.ts'
import { type DoubleAnswer, type DoubleRequest, HttpDouble } from '../simulator/server/http-double.ts'

export interface PhoneControlTools {
  readonly dataDir: string
  readonly random: Random
  /** Returns why the gateway did not take the message; null if it did. */
  readonly write: (reply: PhoneReply) => Promise<string | null>
}

export interface PhoneControl {
  stop(): Promise<void>
}

interface ControlFile {
  readonly address: string
  readonly token: string
}

const NOT_RUNNING =
  'no sandbox runs on this data folder: start it with posthorn sandbox, or name its folder with --data-dir'
const ANSWER_WITHIN_MS = 15_000

export async function startPhoneControl({ dataDir, random, write }: PhoneControlTools): Promise<PhoneControl> {
  const token = Buffer.from(random.bytes(24)).toString('base64url')
  const server = await HttpDouble.listen((request) => answer(request, token, write))
  const control: ControlFile = { address: server.address, token }
  writeFileSync(fileOf(dataDir), `${JSON.stringify(control)}\n`, { mode: 0o600 })
  return {
    stop: async () => {
      rmSync(fileOf(dataDir), { force: true })
      await server.goDown()
    },
  }
}

/** Asks the sandbox of the data folder. Returns why the message was not taken; null if it was. */
export async function replyByPhone(dataDir: string, reply: PhoneReply): Promise<string | null> {
  const control = readControl(dataDir)
  if (control === null) return NOT_RUNNING
  const { address, token } = control
  const init = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(reply) }
  const response = await fetch(`${address}/replies`, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(
    () => null,
  )
  if (response === null) return NOT_RUNNING
  return response.ok ? null : response.text()
}

async function answer(
  { method, path, headers, body }: DoubleRequest,
  token: string,
  write: PhoneControlTools['write'],
): Promise<DoubleAnswer> {
  if (headers.authorization !== `Bearer ${token}`) return { status: 401, body: 'wrong token' }
  if (method !== 'POST' || path !== '/replies') return { status: 404, body: 'not found' }
  const reply = parse(body)
  if (!isPhoneReply(reply)) return { status: 400, body: 'not a message of a phone' }
  const reason = await write(reply)
  return reason === null ? { status: 200, body: '' } : { status: 422, body: reason }
}

function readControl(dataDir: string): ControlFile | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'))
  } catch {
    return null
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'sandbox-phones.json')
}
