import path from 'node:path';
import { allSettings } from './all-settings.ts';
import { type ConfigFile, configFileVariables, readConfigFile } from './settings/config-file.ts';
import { isInternalVariable } from './settings/internal-variables.ts';
import { nearestName } from './settings/nearest-name.ts';
import type { Environment, Flags } from './settings/setting.ts';
import { StartupError } from './startup-error.ts';

interface Surroundings {
  readonly environment?: Environment;
  /** Receives each warning as one sentence. */
  readonly warn?: (sentence: string) => void;
}

const known = allSettings.map(({ variable }) => variable);

const warningOfName = (name: string): string =>
  `Warning: there is no setting ${name}; the most similar name is ${nearestName(name, known)}`;

const warningOfSecrets = (file: string, { values, isPublic }: ConfigFile): string[] => {
  const secrets = allSettings.filter(({ variable, isSecret }) => isSecret && values.get(variable));
  if (!isPublic || secrets.length === 0) return [];
  const names = secrets.map(({ variable }) => variable).join(', ');
  return [`Warning: every user of this machine can read ${file}, which contains ${names}: run chmod o= ${file}`];
};

/**
 * Returns the texts of all settings: of the environment, else of the configuration file.
 * @throws StartupError when the file cannot be read or a line in it is no setting
 */
export const loadSettings = (
  { config }: Flags,
  { environment = process.env, warn = (sentence) => process.stderr.write(`${sentence}\n`) }: Surroundings = {},
): Environment => {
  for (const name of Object.keys(environment))
    if (name.startsWith('DENTARIUM_') && !known.includes(name) && !isInternalVariable(name)) warn(warningOfName(name));
  if (config === '') throw new StartupError('--config needs a value');
  const given = config ?? environment[configFileVariables.config.variable];
  if (typeof given !== 'string' || given === '') return environment;
  const file = path.resolve(given);
  const read = readConfigFile(file, known);
  for (const warning of warningOfSecrets(file, read)) warn(warning);
  const set = Object.entries(environment).filter(([, text]) => text);
  return Object.fromEntries([...read.values, ...set]);
};
