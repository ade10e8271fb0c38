import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './usage.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options that every command has. */
const ofAll = {
  data: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies Options;

/** Reads the arguments of a command. @throws UsageError */
export const readOptions = <Own extends Options>(args: readonly string[], own: Own) => {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { ...ofAll, ...own } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
