/** The path of uploads in the OpenAPI document. */
import { RequestError } from './result-schemas.ts'

const LINES = 'Lines of a bulk: the column or member `phone`, optionally `id`, and one for each placeholder.'

export const UPLOAD_PATH: object = {
  post: {
    operationId: 'uploadBulkLines',
    summary: 'Upload lines of a bulk',
    description:
      'At most 100,000 lines and 32 MiB in one upload, within 30 seconds, and 1,000,000 lines in a bulk. Lines are stored ' +
      'as they are read: an upload that breaks off is repeated, which skips them, or continued with `from_line`.',
    security: [{ key: [] }],
    parameters: [
      {
        name: 'bulk_id',
        in: 'path',
        required: true,
        schema: { type: 'integer' },
        description: '`bulk_id` of the answer to `bulk/create`.',
      },
      {
        name: 'from_line',
        in: 'query',
        schema: { type: 'integer', minimum: 1 },
        description: 'Number of the first line of the body, by default 1. Lines that are stored already are skipped.',
      },
    ],
    requestBody: {
      required: true,
      content: {
        'text/csv': { schema: { type: 'string', description: `${LINES} The first row is the header.` } },
        'application/x-ndjson': { schema: { type: 'string', description: `${LINES} One JSON object in each line.` } },
      },
    },
    responses: {
      200: {
        description: 'Every answer, errors included',
        content: { 'application/json': { schema: { oneOf: [uploadResult(), RequestError] } } },
      },
    },
  },
}

export const UPLOAD_KEY: object = { type: 'http', scheme: 'bearer', description: 'API key of the account.' }

function uploadResult(): object {
  const properties = {
    bulk_id: { type: 'integer' },
    lines: { type: 'integer', description: 'Lines of the bulk so far, refused ones included.' },
    refused: { type: 'integer', description: 'Lines of the bulk that were refused: `bulk/errors` lists them.' },
    duplicates: {
      type: 'integer',
      description: 'Lines of the bulk that `skip_duplicates` dropped; absent without it.',
    },
    skipped: { type: 'integer', description: 'Lines of the body that were stored already.' },
    estimate: { type: 'number', description: 'The most that all lines can cost.' },
    currency: { type: 'string', description: 'ISO 4217.' },
  }
  return {
    type: 'object',
    required: ['success', 'data'],
    properties: {
      success: { const: true },
      data: { type: 'object', required: Object.keys(properties).filter((name) => name !== 'duplicates'), properties },
    },
  }
}
