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
  test: 'Test',
  file: 'Choose a CSV file',
  fileHint:
    'The first row names the columns. Numbers need their country code, unless the account has a country for national numbers.',
  chosen: (name: string, rows: string) => `${name}: ${rows}`,
  rows: plural('en', '# line', '# lines'),
  noRows: 'The file has no line below its header.',
  tooManyRows: (most: string) => `The file has too many lines: at most ${most}.`,
  column: (name: string) => (name === 'phone' ? 'Column with the phone number' : `Column for {{${name}}}`),
  idColumn: 'Column with your id',
  noColumn: 'Choose a column',
  noId: 'None',
}
