import type { Route } from '../../contract/route.ts';

const files = [
  'about',
  'access-log',
  'account',
  'configuration',
  'interactions',
  'passwords',
  'two-factor',
  'customers',
  'gallery',
  'statistics',
  'displays',
  'aws-uploads',
  'bin',
  'images',
  'import-calls',
  'merge',
  'uploads',
  'patients',
  'roles',
  'studies',
  'users',
  'viewsets',
];

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value && 'access' in value;

/** Every route that the contract states, by the name that it bears there. */
export const contractRoutes = async (): Promise<{ name: string; route: Route }[]> => {
  const modules = await Promise.all(files.map((file) => import(`../../contract/${file}.ts`)));
  return modules.flatMap((module: object) =>
    Object.entries(module).flatMap(([name, value]) => (isRoute(value) ? [{ name, route: value }] : [])),
  );
};
