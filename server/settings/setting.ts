import type { z } from 'zod';

/** Texts by variable name, from the environment and the configuration file. An empty text counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Command-line flags by name, without `--`. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** Declares one setting. docs/configuration.md is generated from these. */
export interface Setting {
  readonly variable: string;
  /** Parses the text; `.optional()` when the setting needs neither a value nor a default. */
  readonly schema: z.ZodType;
  /** One line of Markdown for docs/configuration.md: meaning, unit, bounds. */
  readonly description: string;
  /** Command-line flag of the server, without `--`. */
  readonly flag?: string;
  /** Text that is parsed when the setting has no value. */
  readonly default?: string;
  /** Markdown for the documentation when the default is not a fixed text. */
  readonly defaultNote?: string;
  /** The value is never shown. */
  readonly isSecret?: boolean;
}

export type Settings = Readonly<Record<string, Setting>>;

export type SettingValues<S extends Settings> = { readonly [Key in keyof S]: z.output<S[Key]['schema']> };
