/** First elements of query keys, by which queries are invalidated. */
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
  users: 'users',
  roles: 'roles',
  statistics: 'statistics',
  gallery: 'gallery',
  azure: 'azure',
  systemStatus: 'system-status',
  damagedImages: 'damaged-images',
} as const;
