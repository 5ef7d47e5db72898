/**
 * Takes the lines of a bulk: reads, checks and stores them in blocks, each durable before the next is read. What was
 * stored stays when an upload breaks off, and a repeated upload skips it.
 */
import { writeRefusal, writeResult } from '../../contract/request/envelope.ts'
import { ITEM_ERRORS, REQUEST_ERRORS } from '../../contract/request/error-texts.ts'
import type { ReadingRules } from '../../contract/request/limits.ts'
import { Refused } from '../../contract/request/refused.ts'
import { BLOCK_LINES, type Bulk, type BulkView, MAX_BULK_LINES } from '../../domain/bulk/bulk.ts'
import type { BulkLine, LineBlock, LineError } from '../../domain/bulk/bulk-lines.ts'
import type { Access } from '../../domain/directory/directory.ts'
import type { BulkId } from '../../domain/ids/message-id.ts'
import { type Micros, toDecimal } from '../../domain/money/money.ts'
import type { Phone } from '../../domain/numbers/phone.ts'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { StoredLines } from '../../ports/stores/bulk-store.ts'
import { checkApiKey } from '../request/api-key.ts'
import { openScope, rulesOf } from '../request/open-scope.ts'
import type { OperationTools } from '../request/operation-tools.ts'
import type { WorkQueue } from '../request/work-queue.ts'
import { LineChecker } from './line-checker.ts'
import { lineColumnsOf, readLine } from './line-fields.ts'
import { type LineFormat, type RawLine, readLines, Unreadable } from './read-lines.ts'
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_LINES, UPLOAD_ERRORS } from './upload-errors.ts'

/** Uploads at one time, over all accounts, and of one with test or with live keys. */
const MAX_UPLOADS = 16
const MAX_UPLOADS_OF_ACCOUNT = 2
/** A block ends with fewer lines if they are long. */
const BLOCK_BYTES = 64 * 1024

export interface UploadedLines {
  readonly bulkId: number
  /** Number of the first line of the body. */
  readonly fromLine: number
  readonly format: LineFormat
  readonly body: AsyncIterable<Buffer>
}

export interface UploadRequest extends UploadedLines {
  /** The API key. */
  readonly auth: string
  readonly address: () => string | null
}

/** The bulk afterwards, and how many of the lines were stored before. */
export interface UploadResult {
  readonly bulk: Bulk
  readonly skipped: number
}

/** An upload whose key, bulk and limits were checked. */
interface Upload extends UploadedLines {
  readonly access: Access
  readonly bulk: BulkView
}

/** Numbers of refused lines that are read at one time. */
const REFUSED_READ = 1_000

export class BulkUploads {
  readonly #tools: OperationTools
  readonly #work: WorkQueue
  /** By account, test and live keys apart. */
  readonly #open = new Map<string, number>()
  #count = 0

  constructor(tools: OperationTools, work: WorkQueue) {
    this.#tools = tools
    this.#work = work
  }

  /** Resolves with the envelope of the answer. Rejects only if the body breaks off. */
  async take(request: UploadRequest): Promise<string> {
    try {
      const access = checkApiKey(this.#tools, request, request.auth, this.#tools.clock.now())
      if (!access.key.scopes.includes('send')) throw new Refused(REQUEST_ERRORS.accessDenied)
      return writeUploadResult(await this.takeAs(access, request))
    } catch (error) {
      if (error instanceof Refused) return writeRefusal(error.message)
      if (!(error instanceof StoreError)) throw error
      this.#tools.log.warn({ error }, 'upload refused: the store is unavailable')
      return writeRefusal(REQUEST_ERRORS.unavailable)
    }
  }

  /** Takes lines for an account. Rejects with Refused or StoreError, or if the body breaks off. */
  async takeAs(access: Access, lines: UploadedLines): Promise<UploadResult> {
    const upload = await this.#check(access, lines)
    return this.#within(upload, () => this.#store(upload))
  }

  async #check(access: Access, request: UploadedLines): Promise<Upload> {
    const bulk = await this.#tools.store.findBulk(access.account.id, request.bulkId as BulkId)
    if (bulk === null || bulk.test !== access.key.test) throw new Refused(ITEM_ERRORS.noSuchBulk)
    if (bulk.state !== 'uploading') throw new Refused(UPLOAD_ERRORS.notUploading)
    const { fromLine } = request
    if (!Number.isSafeInteger(fromLine) || fromLine < 1 || fromLine > bulk.lines + 1) {
      throw new Refused(UPLOAD_ERRORS.fromLine(bulk.lines))
    }
    return { ...request, access, bulk }
  }

  async #within<Result>(upload: Upload, work: () => Promise<Result>): Promise<Result> {
    const { account, key } = upload.access
    const id = `${account.id} ${key.test}`
    const own = this.#open.get(id) ?? 0
    if (this.#count === MAX_UPLOADS || own === MAX_UPLOADS_OF_ACCOUNT) throw new Refused(REQUEST_ERRORS.unavailable)
    this.#count += 1
    this.#open.set(id, own + 1)
    try {
      return await work()
    } finally {
      this.#count -= 1
      const left = (this.#open.get(id) ?? 1) - 1
      if (left > 0) this.#open.set(id, left)
      else this.#open.delete(id)
    }
  }

  async #store(upload: Upload): Promise<UploadResult> {
    const { bulk, fromLine } = upload
    const columns = lineColumnsOf(bulk)
    const writer = new BlockWriter({ tools: this.#tools, work: this.#work, upload, names: columns.names })
    const run = (work: () => void) => this.#work.once(upload.access.account.id, work)
    const source = {
      bytes: bounded(upload.body),
      format: upload.format,
      fromLine,
      run,
      required: columns.required,
      optional: columns.optional,
    }
    let line = fromLine
    try {
      for await (const raw of readLines(source)) {
        if (line - fromLine === MAX_UPLOAD_LINES) throw new Unreadable(UPLOAD_ERRORS.tooManyLines)
        if (line > MAX_BULK_LINES) throw new Unreadable(UPLOAD_ERRORS.full)
        if (line > bulk.lines) await writer.add(raw, line)
        else await writer.compare(raw, line)
        line += 1
      }
    } catch (error) {
      if (error instanceof Unreadable) await writer.end()
      throw error
    }
    // A client that continues an upload may have sent everything already.
    if (line === 1) throw new Refused(UPLOAD_ERRORS.noLines)
    const after = await writer.end()
    return { bulk: after, skipped: Math.min(line, bulk.lines + 1) - fromLine }
  }
}

function writeUploadResult({ bulk, skipped }: UploadResult): string {
  const { id, lines, refused, estimateMicros, currency, skipDuplicates, duplicates } = bulk
  const dropped = skipDuplicates === true ? { duplicates } : {}
  return writeResult({
    bulk_id: id,
    lines,
    refused,
    ...dropped,
    skipped,
    estimate: toDecimal(estimateMicros),
    currency,
  })
}

async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_UPLOAD_BYTES) throw new Unreadable(UPLOAD_ERRORS.tooManyBytes)
    yield chunk
  }
}

interface WriterTools {
  readonly tools: OperationTools
  readonly work: WorkQueue
  readonly upload: Upload
  /** The placeholders of the message. */
  readonly names: readonly string[]
}

/** Collects lines into blocks, checks and stores each. */
class BlockWriter {
  readonly #tools: WriterTools
  #lines: RawLine[] = []
  #bytes = 0
  #first: number
  /** The stored block of the line that was compared last. */
  #stored: StoredLines | null = null
  /** Refused lines, up to the number where they were read. */
  #refused: { readonly lines: ReadonlySet<number>; readonly last: number } | null = null
  /** Lines that can be sent and were not stored, as duplicates. */
  #dropped: Pick<BulkLine, 'line' | 'phone'>[] = []
  #bulk: Bulk
  readonly #rules: ReadingRules

  constructor(tools: WriterTools) {
    this.#tools = tools
    this.#rules = rulesOf(tools.upload.access.account, tools.tools.limits)
    this.#bulk = tools.upload.bulk
    this.#first = this.#bulk.lines + 1
  }

  async add(raw: RawLine, line: number): Promise<void> {
    if (this.#lines.length === 0) {
      await this.#compareDuplicates()
      this.#first = line
    }
    this.#lines.push(raw)
    this.#bytes += sizeOf(raw)
    if (this.#lines.length === BLOCK_LINES || this.#bytes >= BLOCK_BYTES) await this.#flush()
  }

  /** Throws Refused if the line is not the one that is stored, so that no other recipients are dropped unnoticed. */
  async compare(raw: RawLine, line: number): Promise<void> {
    if (this.#stored === null || line > this.#stored.last) {
      this.#stored = await this.#tools.tools.store.readBulkLines(this.#bulk.id, line)
    }
    const stored = this.#stored?.lines.find((each) => each.line === line)
    if (stored === undefined) return await this.#compareDropped(raw, line)
    const read = this.#readLine(raw, line)
    if ('cause' in read || !isSame(read, stored)) throw new Refused(UPLOAD_ERRORS.otherLine(line, this.#bulk.lines))
  }

  /** Refused lines and duplicates are not stored, nor those whose recipient was erased. */
  async #compareDropped(raw: RawLine, line: number): Promise<void> {
    let phone: string | null = null
    await this.#tools.work.once(this.#tools.upload.access.account.id, () => {
      const checked = this.#checkLine(this.#openChecker(), raw, line)
      phone = 'cause' in checked ? null : checked.line.phone
    })
    if (phone === null) return
    if (await this.#wasRefused(line)) throw new Refused(UPLOAD_ERRORS.refusedLine(line, this.#bulk.lines))
    if (this.#bulk.duplicates === 0) return
    this.#dropped.push({ line, phone })
    if (this.#dropped.length === BLOCK_LINES) await this.#compareDuplicates()
  }

  /** The bulk knows the phones of duplicates, and of erased recipients. */
  async #compareDuplicates(): Promise<void> {
    if (this.#dropped.length === 0) return
    const { id: bulkId, accountId, lines } = this.#bulk
    const phones = this.#dropped.map(({ phone }) => phone as Phone)
    const found = await this.#tools.tools.store.bulk({ kind: 'find new phones', accountId, bulkId, phones })
    const other = this.#dropped.find(({ phone }) => found?.includes(phone as Phone))
    if (other !== undefined) throw new Refused(UPLOAD_ERRORS.otherLine(other.line, lines))
    this.#dropped = []
  }

  async #wasRefused(line: number): Promise<boolean> {
    const { id: bulkId, duplicates, erased } = this.#bulk
    if (duplicates === 0 && erased === 0) return true
    if (this.#refused === null || line > this.#refused.last) {
      const query = { bulkId, after: line - 1, limit: REFUSED_READ }
      const lines = (await this.#tools.tools.store.bulkErrors(query)).map((each) => each.line)
      const last = lines.length < REFUSED_READ ? Number.POSITIVE_INFINITY : (lines.at(-1) ?? line)
      this.#refused = { lines: new Set(lines), last }
    }
    return this.#refused.lines.has(line)
  }

  /** Returns the bulk with all lines. */
  async end(): Promise<Bulk> {
    await this.#compareDuplicates()
    await this.#flush()
    return this.#bulk
  }

  async #flush(): Promise<void> {
    if (this.#lines.length === 0) return
    const { tools, upload } = this.#tools
    const { id: accountId } = upload.access.account
    const block = await this.#checkBlock()
    const after = await tools.store.bulk({ kind: 'add lines', accountId, bulkId: upload.bulk.id, block })
    if (after === null) throw new Refused(await this.#whyNot())
    this.#bulk = after
    this.#lines = []
    this.#bytes = 0
  }

  /** Returns why the bulk did not take the block. */
  async #whyNot(): Promise<string> {
    const { tools, upload } = this.#tools
    const bulk = await tools.store.findBulk(upload.access.account.id, upload.bulk.id)
    if (bulk === null) return ITEM_ERRORS.noSuchBulk
    return bulk.state === 'uploading' ? UPLOAD_ERRORS.busy : UPLOAD_ERRORS.notUploading
  }

  async #checkBlock(): Promise<LineBlock> {
    const { work, upload } = this.#tools
    const checker = this.#openChecker()
    const lines: BulkLine[] = []
    const errors: LineError[] = []
    const prices: Micros[] = []
    let next = 0
    await work.run(upload.access.account.id, () => {
      const checked = this.#checkLine(checker, this.#lines[next] ?? null, this.#first + next)
      if ('cause' in checked) errors.push(checked)
      else {
        lines.push(checked.line)
        prices.push(checked.price)
      }
      next += 1
      return next < this.#lines.length
    })
    return {
      first: this.#first,
      last: this.#first + this.#lines.length - 1,
      lines,
      errors,
      prices,
    }
  }

  #openChecker(): LineChecker {
    const { tools, upload } = this.#tools
    const newId = () => {
      throw new RangeError('a check makes no message')
    }
    return new LineChecker(openScope(tools, { ...upload.access, now: tools.clock.now(), newId }), upload.bulk)
  }

  #checkLine(checker: LineChecker, raw: RawLine, number: number): LineError | { line: BulkLine; price: Micros } {
    const line = this.#readLine(raw, number)
    if ('cause' in line) return line
    const price = checker.price(line)
    return typeof price === 'number' ? { line, price } : { line: number, cause: price }
  }

  #readLine(raw: RawLine, line: number): BulkLine | LineError {
    return readLine(raw, line, { rules: this.#rules, names: this.#tools.names })
  }
}

function isSame(a: BulkLine, b: BulkLine): boolean {
  const names = Object.keys(a.values)
  return a.phone === b.phone && a.id === b.id && names.every((name) => a.values[name] === b.values[name])
}

/** Returns the characters of its fields, which are scalars. */
function sizeOf(raw: RawLine): number {
  return Object.values(raw ?? {}).reduce<number>((sum, value) => sum + String(value).length, 0)
}
