import { z } from 'zod';
import { StartRefused } from './start-refused.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface Naming {
  /** Before every name of the shape. */
  readonly prefix?: string;
  /** What is said of one that the others need. */
  readonly missing?: string;
}

/**
 * The variables of one purpose; null when none of them is set.
 * @throws StartRefused naming the first variable that is missing or wrong, never its value
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
  throw new StartRefused(`Setting ${prefix}${name}: ${name in given ? (issue?.message ?? 'not valid') : missing}`);
};
