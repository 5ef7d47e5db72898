/** English texts that pages of accounts share. */
export const ACCOUNTS_EN = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
  account: 'Account',
  searchAccount: 'Name or number',
  wrongAmount: 'Write the amount with a decimal point, such as 12.50.',
  approved: 'Approved',
  requested: 'Requested',
  rejected: 'Rejected',
}
