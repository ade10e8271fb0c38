import { type ParseArgsConfig, parseArgs } from 'node:util';
import { allSettings } from './all-settings.ts';
import { switches } from './server-settings.ts';
import type { Flags } from './settings/setting.ts';
import { StartupError } from './startup-error.ts';

const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
  ...allSettings.flatMap(({ flag }) => (flag ? [[flag, { type: 'string' }] as const] : [])),
  ...Object.keys(switches).map((name) => [name, { type: 'boolean' }] as const),
]);

/** Reads the command-line flags of the server. @throws StartupError */
export const readFlags = (args: readonly string[]): Flags => {
  try {
    const { values } = parseArgs({ args: [...args], options });
    return Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string | boolean] => !Array.isArray(entry[1])),
    );
  } catch (error) {
    throw new StartupError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
};
