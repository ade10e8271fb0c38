import path from 'node:path';
import { z } from 'zod';
import { keyOfText, type NamedKey } from '../domain/named-key.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Environment, Settings } from '../settings/setting.ts';

/** The key itself, or the absolute path of its file. */
export type MasterKeySource = { readonly key: NamedKey } | { readonly file: string };

const key = z.string().transform((text, context): NamedKey => {
  const given = keyOfText(text);
  if (given) return given;
  context.addIssue({ code: 'custom', message: 'not 32 bytes in base64; `openssl rand -base64 32` makes a key' });
  return z.NEVER;
});

export const masterKeyVariables = {
  file: {
    variable: 'DENTARIUM_MASTER_KEY_FILE',
    schema: z.string().optional(),
    defaultNote: '`master.key` in the data folder, made at the first start',
    description:
      'file with the master key, which encrypts the secrets in the database; readable by its owner only. See [Master key](operate.md#master-key)',
  },
  key: {
    variable: 'DENTARIUM_MASTER_KEY',
    schema: key.optional(),
    description: 'the master key itself instead of a file: 32 bytes in base64',
    isSecret: true,
  },
} satisfies Settings;

/** @throws StartupError naming the invalid variable */
export const readMasterKeySource = (environment: Environment, dataFolder: string): MasterKeySource => {
  const { key: given, file = path.join(dataFolder, 'master.key') } = readSettings(environment, masterKeyVariables);
  return given ? { key: given } : { file: path.resolve(file) };
};
