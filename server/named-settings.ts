import { z } from 'zod';
import { StartupError } from './startup-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Naming {
  /** Prefix of all variable names. */
  readonly prefix?: string;
  /** Error text for a missing variable that the others require. */
  readonly missing?: string;
}

/**
 * Reads a group of variables; null when none of them is set.
 * @throws StartupError naming the first missing or invalid variable, never its value
 */
export const readNamed = <S extends z.ZodRawShape>(
  environment: Environment,
  shape: S,
  { prefix = '', missing = 'is missing' }: Naming = {},
): z.output<z.ZodObject<S>> | null => {
  const given = Object.fromEntries(
    Object.keys(shape).flatMap((name) => (environment[prefix + name] ? [[name, environment[prefix + name]]] : [])),
  );
  if (Object.keys(given).length === 0) return null;
  const result = z.object(shape).safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  throw new StartupError(`Setting ${prefix}${name}: ${name in given ? (issue?.message ?? 'not valid') : missing}`);
};
