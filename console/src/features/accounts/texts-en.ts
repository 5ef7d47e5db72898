/** English texts that pages of accounts share. */
export const ACCOUNTS_EN = {
  active: 'Active',
  suspended: 'Suspended',
  closed: 'Closed',
  account: 'Account',
  anyAccount: 'All accounts',
  chooseHint: 'Type a name or a number.',
  approved: 'Approved',
  requested: 'Requested',
  rejected: 'Rejected',
}
