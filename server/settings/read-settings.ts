import { z } from 'zod';
import { StartupError } from '../startup-error.ts';
import type { Environment, Setting, Settings, SettingValues } from './setting.ts';

interface Wording {
  /** Error text for a missing variable that the others require. */
  readonly missing?: string;
  /** Name of a setting in error texts; usually its variable. */
  readonly nameOf?: (key: string, setting: Setting) => string;
}

/**
 * Parses declared settings, with their defaults.
 * @throws StartupError naming the first missing or invalid setting, never its value
 */
export const readSettings = <S extends Settings>(
  environment: Environment,
  settings: S,
  { missing = 'is missing', nameOf = (_, { variable }) => variable }: Wording = {},
): SettingValues<S> => {
  const declared = Object.entries(settings);
  const schema = z.object(Object.fromEntries(declared.map(([key, setting]) => [key, setting.schema])));
  const texts = declared.flatMap(([key, { variable, default: usual }]) => {
    const text = environment[variable] || usual;
    return text === undefined ? [] : [[key, text]];
  });
  const given = Object.fromEntries(texts);
  const result = schema.safeParse(given);
  // The object schema was built from these very settings.
  if (result.success) return result.data as SettingValues<S>;
  const [issue] = result.error.issues;
  const key = String(issue?.path[0]);
  const setting = settings[key];
  const problem = key in given ? (issue?.message ?? 'not valid') : missing;
  throw new StartupError(`Setting ${setting ? nameOf(key, setting) : key}: ${problem}`);
};

/** As `readSettings` for a feature that is configured as a whole; null when none of its settings has a value. */
export const readOptionalSettings = <S extends Settings>(
  environment: Environment,
  settings: S,
  wording?: Wording,
): SettingValues<S> | null =>
  Object.values(settings).some(({ variable }) => environment[variable])
    ? readSettings(environment, settings, wording)
    : null;
