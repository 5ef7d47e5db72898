/** English texts of the page of a new bulk. */
export const NEW_BULK_EN = {
  title: 'New bulk',
  description:
    'Write the message, choose the file with its recipients, and look at the first lines. Nothing is sent before you start it.',
  back: 'Bulks',
  message: 'Message',
  placeholders: 'Write {{name}} where each line has its own text: it is a column of the file.',
  recipients: 'Recipients',
  mode: 'Send as',
  modes: { test: 'Test: simulated phones, free', live: 'Real: charged to the account' },
  pace: 'Messages per second',
  paceHint: 'From 1 to 1,000. The pace can be changed while the bulk runs.',
  skip: 'One message for each phone',
  skipHint: 'Further lines with a phone that the file has already are dropped.',
  create: 'Create and upload',
  noFile: 'Choose a file first.',
  needsColumn: (name: string) =>
    name === 'phone' ? 'Choose the column with the phone number.' : `Choose a column for {{${name}}}.`,
  preview: 'First lines',
  previewHint: 'As they will be sent',
  noPreview: 'Write a text and choose a file to see the first lines.',
  row: 'Row',
  phone: 'Phone',
  sent: 'Message',
  parts: 'Parts',
  price: 'Price',
}
