/** English texts of money and postings. */
export const LEDGER_EN = {
  topUp: 'Add money',
  topUpTitle: 'Add money',
  topUpAmount: (amount: string) => `Add ${amount}`,
  toppedUp: (amount: string) => `The account has ${amount} available`,
  amount: (currency: string) => `Amount in ${currency}`,
  amountHint: 'With a decimal point, such as 250.00.',
  note: 'Note',
  noteHint: 'Such as the number of an invoice or payment.',
  wrongAmount: 'Write the amount with a decimal point and no separators, such as 12.50.',
  cancel: 'Cancel',
}
