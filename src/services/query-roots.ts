/** First words of the keys under which replies are kept; what hub news and own changes make old. */
export const queryRoots = {
  patients: 'patients',
  patient: 'patient',
  studies: 'studies',
  viewset: 'viewset',
  imports: 'imports',
  templates: 'templates',
  account: 'account',
  customers: 'customers',
  customer: 'customer',
  people: 'people',
  roles: 'roles',
  statistics: 'statistics',
  gallery: 'gallery',
  azure: 'azure',
} as const;
