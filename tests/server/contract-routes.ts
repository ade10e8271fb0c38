import type { Route } from '../../contract/route.ts';

const files = [
  'about',
  'access-log',
  'account',
  'account-policy',
  'sessions',
  'changes',
  'configuration',
  'interactions',
  'passwords',
  'two-factor',
  'passkeys',
  'pins',
  'customers',
  'damaged-images',
  'deleted-clinics',
  'destruction',
  'dicom-sendings',
  'dicom-fetches',
  'dicomweb',
  'directory',
  'day-lists',
  'gallery',
  'grade-report',
  'grades',
  'statistics',
  'system-status',
  'displays',
  'dose',
  'aws-uploads',
  'recycle-bin',
  'images',
  'import-calls',
  'log-reviews',
  'merge',
  'monitor-checks',
  'moves',
  'notes',
  'orders',
  'uploads',
  'patients',
  'presentation-states',
  'print',
  'retention',
  'roles',
  'dicom-devices',
  'service-accounts',
  'shared-links',
  'studies',
  'template-objects',
  'user-files',
  'users',
  'viewsets',
];

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value && 'access' in value;

/** All routes of the contract by their exported name. */
export const contractRoutes = async (): Promise<{ name: string; route: Route }[]> => {
  const modules = await Promise.all(files.map((file) => import(`../../contract/${file}.ts`)));
  return modules.flatMap((module: object) =>
    Object.entries(module).flatMap(([name, value]) => (isRoute(value) ? [{ name, route: value }] : [])),
  );
};
