/** English texts about bulks that several pages show. */
import { plural } from '../../texts/texts.ts'

export const BULKS_EN = {
  states: {
    uploading: 'Takes lines',
    ready: 'Scheduled',
    running: 'Running',
    paused: 'Paused',
    stopped: 'Stopped',
    finished: 'Finished',
  },
  reasons: {
    client: 'Paused by the account.',
    operator: 'Paused by an operator.',
    funds: 'The balance does not cover the next line. Top up, then continue.',
    'daily limit': 'The account has used its messages or money for today.',
    account: 'The account is suspended or closed.',
  },
  makers: { operator: 'Operator', user: 'User', key: 'Key' },
  test: 'Test',
  file: 'Choose a CSV or XLSX file',
  fileHint:
    'The first row names the columns. Numbers need their country code, unless the account has a country for national numbers.',
  chosen: (name: string, rows: string) => `${name}: ${rows}`,
  rows: plural('en', '# line', '# lines'),
  noRows: 'The file has no line below its header.',
  tooManyRows: (most: string) => `The file has too many lines: at most ${most}.`,
  faults: {
    format: 'This is not a CSV or XLSX file.',
    locked: 'The file is an old XLS workbook, or has a password. Save it as XLSX without one.',
    empty: 'The file is empty.',
    broken: 'The file is damaged. Save it again, or as CSV.',
    size: 'The file is too large. Save it as CSV, or divide it.',
    rows: 'The sheet has more than 200,000 lines. Save it as CSV.',
    cells: 'A row has more than 100 cells, or a cell too much text.',
    blank: 'The sheet has more than 300,000 blank rows and cells. Delete them.',
    sheet: 'The workbook has no sheet.',
  },
  column: (name: string) => (name === 'phone' ? 'Column with the phone number' : `Column for {{${name}}}`),
  idColumn: 'Column with your id',
  noColumn: 'Choose a column',
  noId: 'None',
}
